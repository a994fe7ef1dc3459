// The content type of a page's file, by its name.

const types: Readonly<Record<string, string>> = {
  css: 'text/css;charset=utf-8',
  gif: 'image/gif',
  html: 'text/html;charset=utf-8',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript;charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  md: 'text/markdown;charset=utf-8',
  mjs: 'text/javascript;charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain;charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xml: 'application/xml',
}

/** A file's content type; bytes where its ending says nothing. */
export function contentType(name: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return types[ending] ?? 'application/octet-stream'
}
