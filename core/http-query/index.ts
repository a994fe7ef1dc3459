// `http.query`, as minions and the master have it.
export { type HttpAnswer, type HttpRequest, httpQuery } from './query.ts'
