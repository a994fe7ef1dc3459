// The embedded adapters of every port.
export { type EmbeddedStore, type EmbeddedStoreOptions, openEmbeddedStore } from './embedded-store.ts'
