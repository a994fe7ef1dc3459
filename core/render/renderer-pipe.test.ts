// Tests which renderers a shebang line names.
import { describe, expect, it } from 'vitest'
import { RendererError, rendererPipe } from './renderer-pipe.ts'

describe('rendererPipe', () => {
  it.each([
    ['a: b', true, 'yaml'],
    ['', true, 'yaml'],
    ['#!yaml\na: b', false, 'yaml'],
    ['#!jinja|yaml\n', true, 'yaml'],
    ['#!jinja | yaml \r\n', true, 'yaml'],
    ['#! yaml', false, 'yaml'],
    ['#!json\n{}', false, 'json'],
    ['#!jinja|json\n{}', true, 'json'],
    ['#!yaml_jinja\n', true, 'yaml'],
    ['#!json_jinja\n', true, 'json'],
    ['#!jinja -s|yaml\n', true, 'yaml'],
    ['#!yaml -x\n', false, 'yaml'],
    ['#!/bin/sh\n', true, 'yaml'],
    ['\n#!yaml\n', true, 'yaml'],
    ['{% set x = 1 %}\n#!yaml\n', true, 'yaml'],
  ])('%j', (text, jinja, format) => {
    expect(rendererPipe(text)).toEqual({ jinja, format })
  })

  it.each([
    ['#!py\ndef run(): ...', 'The renderer py of #!py runs Python, which Brine does not.'],
    ['#!jinja|mako|yaml', 'The renderer mako'],
    ['#!yamll', "There is no renderer 'yamll', as #!yamll names it. Did you mean yaml?"],
    ['#!YAML', "There is no renderer 'YAML'"],
    ['#!', "There is no renderer ''"],
    ['#!jinja', '#!jinja ends in text, not in a document.'],
    ['#!yaml|yaml', 'Name one of yaml and json, last.'],
    ['#!jinja|jinja|yaml', 'would take data of the event for a template'],
    ['#!jinja -x|yaml', 'Unknown renderer option: -x'],
    ['#!constructor', "There is no renderer 'constructor'"],
  ])('refuses %j', (text, message) => {
    expect(() => rendererPipe(text)).toThrow(RendererError)
    expect(() => rendererPipe(text)).toThrow(message)
  })
})
