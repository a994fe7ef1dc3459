// A target: an expression and how it is meant.

/** How a target is meant, in Salt's words. */
const TYPES = ['glob', 'compound', 'grain', 'list', 'pcre', 'grain_pcre', 'pillar', 'nodegroup', 'ipcidr'] as const

/** A target as it is typed. */
export interface Target {
  readonly tgt: string
  readonly type: string
}

/** The two fields. */
export function TargetFields({ target, change }: { readonly target: Target; readonly change: (next: Target) => void }) {
  return (
    <>
      <label class="grow">
        <span>Target</span>
        <input
          type="search"
          name="target"
          spellcheck={false}
          placeholder={
            target.type === 'compound' ? 'G@os:Debian and web*' : target.type === 'grain' ? 'os:Debian' : '*'
          }
          value={target.tgt}
          onInput={(event) => change({ ...target, tgt: event.currentTarget.value })}
        />
      </label>
      <label>
        <span>Type</span>
        <select value={target.type} onChange={(event) => change({ ...target, type: event.currentTarget.value })}>
          {TYPES.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      </label>
    </>
  )
}
