// POST /keys: makes a minion's key pair, accepts it, and hands it out. Off unless `rest_keygen`.
import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import { MinionIdSchema } from '../../../core/protocol/index.ts'
import { isList, isMap } from '../../../core/value/index.ts'
import type { Keys } from '../../keys.ts'
import { lowstateOf } from './body.ts'
import { callerOf, type Rights } from './caller.ts'
import { ApiError } from './error-page.ts'
import { isSet, lowOf, textOf } from './low.ts'
import type { Prove } from './lowstate.ts'
import type { Page } from './page.ts'
import { tarOf } from './tar.ts'

const Request = z.looseObject({ mid: z.string() })

interface KeygenNeeds {
  readonly keys: Pick<Keys, 'preseed'>
  readonly rights: Rights
  readonly prove: Prove
  readonly enabled: boolean
}

/** The page. Like `/run` it takes credentials in the body; it needs the right to `wheel.key.gen_accept`. */
export function keygenPage({ keys, rights, prove, enabled }: KeygenNeeds): Page {
  return {
    method: 'POST',
    path: '/keys',
    who: ['anyone'],
    about: 'makes and accepts a key pair for a minion; off unless rest_keygen is set',
    body: Request,
    allow: 'GET, HEAD, POST',
    session: false,
    ownForm: true,
    async answer(call) {
      const lowstate = lowstateOf((await call.body()).data)
      const first = isList(lowstate) ? lowstate[0] : undefined
      const low = first !== undefined && isMap(first) ? lowOf(first) : undefined
      if (low === undefined || !(low.has('token') || low.has('eauth') || callerOf(call.principal)?.kind === 'local'))
        throw unexpected()
      const caller = callerOf(call.principal)
      const who = caller?.kind === 'local' ? caller : await prove(low, 'wheel', call.transport.remote ?? '')
      const id = textOf(low, 'mid') ?? textOf(low, 'id_') ?? ''
      rights.run(who, { client: 'wheel', fun: 'key.gen_accept', arg: [], kwarg: { id_: id } })
      if (!enabled) {
        throw new ApiError(
          403,
          'This master makes no keys for minions: a private key is safest where it is used. Set rest_keygen: True to allow it.',
        )
      }
      if (!MinionIdSchema.safeParse(id).success) throw new ApiError(400, `${id} is no minion id. Send mid with one.`)
      const pair = await promisify(generateKeyPair)('rsa', {
        modulusLength: 3072,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      })
      if (!(await keys.preseed(id, pair.publicKey, isSet(low, 'force'), who.name)))
        throw new ApiError(409, `Minion ${id} has a key already. Delete it first, or send force: true.`)
      const tar = tarOf([
        ['minion.pub', pair.publicKey],
        ['minion.pem', pair.privateKey],
      ])
      return {
        response: new Response(Buffer.from(tar), {
          headers: {
            'content-type': 'application/x-tar',
            'content-disposition': `attachment; filename="saltkeys-${id}.tar"`,
            'cache-control': 'no-cache',
          },
        }),
      }
    },
  }
}

/** What salt-api says to who shows nothing here. */
function unexpected(): ApiError {
  return new ApiError(
    500,
    'The server encountered an unexpected condition which prevented it from fulfilling the request.',
  )
}
