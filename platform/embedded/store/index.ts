// The embedded adapters of every port.
export { type EmbeddedStore, openEmbeddedStore } from './embedded-store.ts'
