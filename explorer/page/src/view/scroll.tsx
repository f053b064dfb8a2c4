// A table that scrolls by itself if it is wider than the page, also by the keyboard.

import type { ComponentChildren } from "preact";

interface Props {
  /** What a screen reader calls the table. */
  label: string;
  heads: readonly string[];
  kind?: string;
  /** The rows. */
  children: ComponentChildren;
}

export function ScrollTable({ label, heads, kind, children }: Props) {
  return (
    <div class="scroll" role="region" aria-label={label} tabIndex={0}>
      <table class={kind}>
        <thead>
          <tr>
            {heads.map((head, place) => (
              <th key={place} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
