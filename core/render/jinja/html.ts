// HTML escaping as MarkupSafe does it.

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&#34;' }

/** `& < > ' "` as entities. */
export function escapeHtml(text: string): string {
  return /[&<>'"]/.test(text) ? text.replace(/[&<>'"]/g, (char) => ESCAPES[char] ?? char) : text
}
