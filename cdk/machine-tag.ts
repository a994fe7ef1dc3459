// The tag on every machine that a master makes, by which its permissions know them.
import { Names } from 'aws-cdk-lib'
import type { Construct } from 'constructs'

/** The key; the value names the master. */
export const machineTag = 'brine:master'

/** The tag of a master's machines. `functions` are the master's. */
export function machineTagsOf(functions: Construct): Readonly<Record<string, string>> {
  return { [machineTag]: Names.uniqueResourceName(functions, { maxLength: 64, separator: '-' }) }
}
