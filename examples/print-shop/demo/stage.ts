/** Where the story is shown: lines, and a progress bar that stays below them. It knows no job and decides nothing. */
import { styleText } from "node:util";

export type Format = Parameters<typeof styleText>[0];

export interface Stage {
  heading(text: string): void;
  /** Narration, or an empty line. */
  say(text?: string): void;
  /** Something that a call or the server said. */
  tell(text: string): void;
  /** An expectation that came true. */
  confirm(text: string): void;
  /** Drawn anew over the last one; where there is no terminal, a line each time that it differs. */
  showBar(bar: string): void;
  /** Leaves the bar as it stands, or as it last was. */
  keepBar(bar?: string): void;
  /** The last words: nothing is shown after them. */
  endWith(text: string): void;
}

/** Coloured where the terminal has colours and nobody has asked for none. */
export function paint(format: Format, text: string): string {
  return styleText(format, text, { stream: process.stdout });
}

const clearLine = "\r\u001b[2K";
const indent = "  ";

export function openStage(output: NodeJS.WriteStream): Stage {
  // TERM=dumb: a terminal that cannot move its cursor.
  const redraws = output.isTTY && process.env.TERM !== "dumb";
  let bar: string | null = null;
  let isMuted = false;

  function write(text: string): void {
    if (!isMuted) output.write(text);
  }

  function print(line: string): void {
    write(bar !== null && redraws ? `${clearLine}${line}\n${bar}` : `${line}\n`);
  }

  return {
    heading: (text) => print(`\n${paint("bold", text)}`),
    say: (text = "") => print(text),
    tell: (text) => print(indent + text),
    confirm: (text) => print(`${indent}${paint("green", "✓")} ${text}`),
    showBar(next) {
      if (next === bar) return;
      bar = next;
      write(redraws ? clearLine + bar : `${bar}\n`);
    },
    keepBar(last) {
      if (bar === null) return;
      if (redraws) write(`${clearLine}${last ?? bar}\n`);
      else if (last !== undefined && last !== bar) write(`${last}\n`);
      bar = null;
    },
    endWith(text) {
      if (bar !== null && redraws) write("\n");
      write(`${text}\n`);
      isMuted = true;
    },
  };
}
