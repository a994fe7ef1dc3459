// Which keys are told at SIGHUP.
import { describe, expect, it } from 'vitest'
import { keysForNextStart } from './changed-keys.ts'
import { parseMasterConfig } from './master.ts'

const parsed = (text: string) => parseMasterConfig([{ name: 'master', text }])

describe('keysForNextStart', () => {
  it.each([
    ['nothing', 'timeout: 5', 'timeout: 5', []],
    ['a default that is written now', '', 'reactor_worker_threads: 10', []],
    ['what is followed', 'reactor: [{a: [b.sls]}]', 'reactor: [{a: [c.sls]}]', []],
    ['one that came', '', 'timeout: 60', ['timeout']],
    ['one that went', 'timeout: 60', '', ['timeout']],
    ['maps and lists', 'file_roots: {base: [/a]}', 'file_roots: {base: [/a, /b]}', ['file_roots']],
    ['the order of a list', 'file_roots: {base: [/b, /a]}', 'file_roots: {base: [/a, /b]}', ['file_roots']],
    ['the API', 'rest_cherrypy: {port: 8000}', 'rest_cherrypy: {port: 8001}\ntimeout: 9', ['rest_cherrypy', 'timeout']],
    ['another name of a key', '', 'keep_jobs: 48', ['keep_jobs', 'keep_jobs_seconds']],
  ])('tells %s', (_, before, now, keys) => {
    expect(keysForNextStart(parsed(before), parsed(now))).toEqual(keys)
  })
})
