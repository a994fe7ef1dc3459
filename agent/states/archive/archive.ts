// Salt's `archive` states.
import { defineState, type StateModule, slsExample } from '../state-module.ts'
import { extracted } from './extracted.ts'

/** Archives and what is in them. */
export const archive: StateModule = {
  name: 'archive',
  functions: {
    extracted: defineState(
      'name, source, source_hash=None, source_hash_name=None, source_hash_update=False, skip_files_list_verify=False, skip_verify=False, password=None, options=None, list_options=None, force=False, overwrite=False, clean=False, clean_parent=False, user=None, group=None, if_missing=None, trim_output=False, use_cmd_unzip=None, extract_perms=True, enforce_toplevel=True, enforce_ownership_on=None, archive_format=None, use_etag=False, **kwargs',
      `An archive's contents are below a directory. It is unpacked where something of it is missing there.

name
    The directory, made where it is missing.
source
    A tar or zip archive: \`\`salt://\`\`, \`\`https://\`\` or a path; of a list the first that is there.
source_hash, source_hash_name, skip_verify
    What the archive's digest has to be, or the file that has it; a source that is not the master's needs one, unless skip_verify is
    True.
source_hash_update
    Unpack it again when the archive has another digest than last time.
skip_files_list_verify
    Do not look at the files: an archive with the digest of last time is not unpacked.
archive_format
    \`\`tar\`\` or \`\`zip\`\`, where the name does not say it.
enforce_toplevel
    False lets an archive be unpacked that has more than one directory at its top.
options
    Options of tar, or of unzip.
if_missing
    Where this path exists, nothing is done.
overwrite, force
    Unpack it though all is there; remove what is there as something else.
clean, clean_parent
    Before it is unpacked, remove what the archive has at its top; remove the whole directory.
user, group, enforce_ownership_on
    Whose it shall be: what stands at the archive's top, or that path.
trim_output
    Tell so many names at most; True for a hundred.
password, use_cmd_unzip, extract_perms
    Of zip archives: the password, the program unzip, the modes of files.${slsExample(`
graylog2-server:
  archive.extracted:
    - name: /opt/
    - source: https://github.com/downloads/Graylog2/graylog2-server/graylog2-server-0.9.6p1.tar.lzma
    - source_hash: md5=499ae16dcae71eeb7c3a30c75ea7a1a6`)}`,
      extracted,
    ),
  },
}
