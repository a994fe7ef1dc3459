// The `cloud` runner: machines on EC2, as Salt Cloud makes and tells of them.
import type { MappedMachine } from '../../core/cloud/map.ts'
import { mappingOf } from '../../core/cloud/mapping.ts'
import { isMapping, type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import type { Cloud } from '../cloud/index.ts'
import { type NodeQuery, nodeQueries } from '../cloud/node-queries.ts'
import type { Offer } from '../cloud/ports.ts'
import { withoutInner } from '../inner-keywords.ts'
import { type BoundArguments, type MasterFunction, RunError } from '../run.ts'
import { namesOf } from './names-of.ts'
import { docOf } from './runner-doc.ts'

/** Makes the clouds; undefined where the platform has none. */
export type OpenCloud = (() => Promise<Cloud>) | undefined

/** Functions of the `cloud` runner. */
export function cloudRunner(open: OpenCloud): Record<string, MasterFunction> {
  const cloud = async (): Promise<Cloud> => {
    if (open !== undefined) return open()
    throw new RunError('This master makes no machines: on AWS, give BrineMaster its cloud (docs/cloud.md).')
  }

  const offers = (what: Offer, sentence: string): MasterFunction => ({
    signature: {
      params: [
        { name: 'provider', default: 'all' },
        { name: 'location', default: null },
      ],
    },
    doc: doc(sentence, `list_${what} my-ec2`, `list_${what} my-ec2 location=eu-west-1`),
    idempotent: true,
    run: async ({ named }) =>
      (await cloud()).offers(what, pythonStr(named.provider ?? 'all'), locationIn(named.location)),
  })

  const query = (name: string, type: NodeQuery, sentence: string): MasterFunction => ({
    signature: {
      params: [
        { name: 'query_type', default: type },
        { name: 'location', default: null },
      ],
    },
    doc: doc(sentence, name, `${name} location=eu-west-1`),
    idempotent: true,
    run: async ({ named }) =>
      (await cloud()).query(queryOf(pythonStr(named.query_type ?? type)), locationIn(named.location)),
  })

  return {
    'cloud.list_sizes': offers('sizes', 'List cloud provider sizes for the given providers'),
    'cloud.list_images': offers('images', 'List cloud provider images for the given providers'),
    'cloud.list_locations': offers('locations', 'List cloud provider locations for the given providers'),
    'cloud.query': query('query', 'list_nodes', 'List cloud provider data for all providers'),
    'cloud.full_query': query('full_query', 'list_nodes_full', 'List all available cloud provider data'),
    'cloud.select_query': query('select_query', 'list_nodes_select', 'List selected nodes'),
    'cloud.list_providers': {
      signature: { params: [] },
      doc: doc('List the configured providers', 'list_providers'),
      idempotent: true,
      run: async () => (await cloud()).listProviders(),
    },
    'cloud.list_profiles': {
      signature: { params: [{ name: 'provider', default: 'all' }] },
      doc: doc('List the configured profiles, of one provider or of all', 'list_profiles', 'list_profiles my-ec2'),
      idempotent: true,
      run: async ({ named }) => (await cloud()).listProfiles(pythonStr(named.provider ?? 'all')),
    },
    'cloud.profile': {
      signature: {
        params: ['prof', 'instances', 'opts'].map((name) => ({ name, default: null })),
        varKwargs: true,
      },
      doc: doc(
        'Create a cloud vm with the given profile and instances, instances can be a list or comma-delimited string',
        'profile prof=my-ec2 instances=node1,node2,node3',
      ),
      idempotent: true,
      async run({ named, rest }) {
        const { profile: spelled, names: listed, ...others } = withoutInner(rest)
        const profile = named.prof ?? spelled ?? null
        const names = named.instances ?? listed ?? null
        if (profile === null) return { Error: 'A profile (or prof) must be defined' }
        if (names === null) return { Error: 'One or more instances (comma-delimited) must be set' }
        const { parallel, vm_overrides, ...over } = { ...optsOf(named), ...others }
        return (await cloud()).profile(pythonStr(profile), namesOf(names), {
          parallel: pythonTruth(parallel ?? false),
          over,
          each: mappingOf(vm_overrides) ?? {},
        })
      },
    },
    'cloud.create': {
      signature: {
        params: [{ name: 'provider' }, { name: 'instances' }, { name: 'opts', default: null }],
        varKwargs: true,
      },
      doc: doc(
        'Create an instance using Salt Cloud',
        'create my-ec2-config myinstance image=ami-1624987f size=t3.micro securitygroup=default',
      ),
      idempotent: true,
      run: async ({ named, rest }) =>
        (await cloud()).create(pythonStr(named.provider ?? ''), namesOf(named.instances ?? ''), {
          ...optsOf(named),
          ...withoutInner(rest),
        }),
    },
    'cloud.map_run': {
      signature: {
        params: ['path', 'opts', 'map_data', 'names'].map((name) => ({ name, default: null })),
        varKwargs: true,
      },
      doc: doc(
        'Make the machines of a map that there are not: of a file, or of what is given as map_data',
        'map_run path=/etc/brine/cloud.maps.d/web.map parallel=True',
        `map_run map_data='{web: [web1, web2]}'`,
      ),
      idempotent: true,
      async run({ named, rest }) {
        const { maps, text } = await cloud()
        const { parallel, ...over } = { ...optsOf(named), ...withoutInner(rest) }
        return maps.run(await mapOf(named, text), { parallel: pythonTruth(parallel ?? false), over })
      },
    },
    'cloud.map_plan': {
      signature: { params: ['path', 'map_data', 'names'].map((name) => ({ name, default: null })) },
      doc: doc('Tell which machines of a map there are, and which it would make', `map_plan map_data='{web: [web1]}'`),
      idempotent: true,
      async run({ named }) {
        const { maps, text } = await cloud()
        return maps.plan(await mapOf(named, text))
      },
    },
    'cloud.map_query': {
      signature: {
        params: [
          ...['path', 'map_data', 'names'].map((name) => ({ name, default: null })),
          { name: 'query_type', default: 'list_nodes' },
        ],
      },
      doc: doc('Tell of the machines of a map, and which are absent', `map_query map_data='{web: [web1]}'`),
      idempotent: true,
      async run({ named }) {
        const { maps, text } = await cloud()
        return maps.query(await mapOf(named, text), queryOf(pythonStr(named.query_type ?? 'list_nodes')))
      },
    },
    'cloud.destroy': {
      signature: { params: [{ name: 'instances' }, { name: 'opts', default: null }] },
      doc: doc('Destroy the named vm(s)', 'destroy node1,node2'),
      idempotent: true,
      run: async ({ named }) =>
        (await cloud()).destroy(namesOf(named.instances ?? ''), {
          parallel: pythonTruth(optsOf(named).parallel ?? false),
        }),
    },
    'cloud.action': {
      signature: {
        params: ['func', 'cloudmap', 'instances', 'provider', 'instance', 'opts'].map((name) => ({
          name,
          default: null,
        })),
        varKwargs: true,
      },
      doc: doc(
        'Execute a single action on the given provider/instance',
        'action start my-salt-vm',
        'action list_nodes provider=my-ec2',
      ),
      run: async (bound) => action(await cloud(), bound),
    },
  }
}

/** Salt's words are `action FUNC MAP INSTANCES`, and its example leaves the map out: a word in its place is an instance. */
async function action(cloud: Cloud, { named, rest }: BoundArguments): Promise<Value> {
  const { func, cloudmap, instances, provider, instance } = named
  const many = instances ?? cloudmap ?? null
  if (many !== null && (instance ?? null) !== null)
    throw new RunError("Please specify either a list of 'names' or a single 'instance', but not both.")
  const names = many !== null ? namesOf(many) : (instance ?? null) !== null ? [pythonStr(instance ?? '')] : []
  if (names.length > 0 === ((provider ?? null) !== null))
    throw new RunError('Either an instance (or list of names) or a provider must be specified, but not both.')
  const fun = pythonStr(func ?? '')
  return names.length > 0
    ? cloud.action(fun, names, withoutInner(rest))
    : cloud.functionOf(fun, pythonStr(provider ?? ''), withoutInner(rest))
}

function locationIn(value: Value | undefined): string | undefined {
  return value === undefined || value === null ? undefined : pythonStr(value)
}

/** The map that is given, or that stands in a file of the master's; of some names alone where any are given. */
async function mapOf(
  { path = null, map_data: data = null, names = null }: Readonly<Record<string, Value>>,
  text: (path: string) => Promise<string>,
): Promise<readonly MappedMachine[]> {
  const { onlyNamed, readMap, renderMap } = await import('../../core/cloud/map.ts')
  if (path === null && data === null) throw new RunError('Name the file of a map (path=), or give a map (map_data=).')
  const document = path === null ? data : renderMap(pythonStr(path), await text(pythonStr(path)))
  return onlyNamed(readMap(document), names === null ? [] : namesOf(names))
}

function queryOf(text: string): NodeQuery {
  const query = nodeQueries.find((each) => each === text)
  if (query !== undefined) return query
  throw new RunError(`There is no query ${text}. There are: ${nodeQueries.join(', ')}.`)
}

function optsOf({ opts }: Readonly<Record<string, Value>>): Mapping {
  return opts !== undefined && opts !== null && isMapping(opts) ? opts : {}
}

function doc(what: string, ...examples: readonly string[]): string {
  return docOf(
    what,
    examples.map((example) => `cloud.${example}`),
  )
}
