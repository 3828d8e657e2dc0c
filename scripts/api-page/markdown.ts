/** Markdown as GitHub renders it: descriptions that read as they are written, tables whose cells hold, anchors. It knows no GraphQL. */

/** Code spans as they are; outside of them a `<` would begin a tag and vanish. */
export function prose(text: string): string {
  const parts = text.trim().split(/(`[^`]+`)/);
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replaceAll("<", "&lt;"))).join("");
}

/** One line, whose pipes are no borders: in a table they need the backslash inside of code spans, too. */
function cell(text: string): string {
  return text
    .trim()
    .replaceAll("|", "\\|")
    .replaceAll(/\s*\n\s*\n\s*/g, "<br><br>")
    .replaceAll(/\s*\n\s*/g, " ");
}

/** Columns in which no row has anything are left out; a table without rows is nothing. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const used = header.map((_name, column) => rows.some((row) => (row[column] ?? "") !== ""));
  const line = (cells: readonly string[]) =>
    `| ${cells
      .filter((_cell, column) => used[column])
      .map(cell)
      .join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function link(text: string, target: string): string {
  return `[${text}](${target})`;
}

/** Where a link can lead. An anchor of our own: GitHub numbers headings that differ only in case. */
function anchor(id: string): string {
  return `<a id="${id}"></a>`;
}

export function heading(level: number, text: string, ...ids: readonly string[]): string {
  return [...(ids.length > 0 ? [ids.map(anchor).join("")] : []), `${"#".repeat(level)} ${text}`].join("\n\n");
}

export function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

export function blocks(...parts: readonly (string | readonly string[])[]): string {
  return parts
    .flat()
    .filter((part) => part !== "")
    .join("\n\n");
}

/** "A", "A or B", "A, B or C". */
export function oneOf(words: readonly string[], joint = "or"): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${joint} ${words.at(-1)}`;
}
