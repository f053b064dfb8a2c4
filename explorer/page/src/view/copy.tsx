// A button that copies a text, and says whether that has worked.

import { useEffect, useState } from "preact/hooks";

export function Copy({ label, about = "", text }: { label: string; about?: string; text: string }) {
  const [said, setSaid] = useState("");
  useEffect(() => setSaid(""), [text]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("The browser did not allow it"),
    );
  return (
    <span class="copy">
      <button type="button" aria-label={about === "" ? undefined : `${label} ${about}`} onClick={copy}>
        {label}
      </button>{" "}
      <span role="status">{said}</span>
    </span>
  );
}
