// Whether a template parses, and its `#!` line can be followed.
import { compileTemplate, TemplateError } from '../../render/jinja/index.ts'
import { RendererError, rendererPipe } from '../../render/renderer-pipe.ts'
import type { CheckTemplate } from './lint.ts'

/** The {@link CheckTemplate} of Brine's own renderers. */
export const checkTemplate: CheckTemplate = (text, name) => {
  try {
    if (rendererPipe(text).jinja) compileTemplate(text, name)
    return undefined
  } catch (error) {
    if (error instanceof RendererError) return { line: 1, message: error.message }
    if (error instanceof TemplateError) return { line: error.line ?? 1, message: error.saltMessage }
    throw error
  }
}
