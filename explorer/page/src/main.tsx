// The start of the page: it reads the data, and shows the page or says that the file is damaged.

import { render } from "preact";
import { dataOf } from "./store.ts";
import { App } from "./view/app.tsx";

const root = document.getElementById("page")!;

try {
  const data = await dataOf(document.getElementById("data")?.textContent ?? "");
  document.title = `${data.corpora.map((corpus) => corpus.name).join(", ")} – synth explore`;
  root.replaceChildren();
  render(<App data={data} />, root);
  performance.mark("usable");
} catch (error) {
  const line = document.createElement("p");
  line.setAttribute("role", "alert");
  line.textContent = `This file is damaged, so nothing of it is shown. Copy it again, or write it anew with synth explore. (${error})`;
  root.replaceChildren(line);
}
