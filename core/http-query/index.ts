// `http.query`, as minions and the master have it.
export { type HttpAnswer, type HttpRequest, type HttpWorld, httpQuery } from './query.ts'
