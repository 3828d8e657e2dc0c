/** What a shared secret must be to sign tokens with it. It judges the text alone, and a fault never quotes it. */
import { z } from "zod";

const leastBytes = 32;
const leastCharacters = 8;

/** What documentation shows in a secret's place, in small letters: whoever reads it there could sign as well. */
const samples: readonly RegExp[] = [
  /(at[-_ ]least|your|my|super|top)[-_ ]?(\d+[-_ ]?bits?|secret)/,
  /change[-_ ]?(me|it|this)|replace[-_ ]?(me|it|this)|placeholder|example|do[-_ ]?not[-_ ]?use/,
  /secret[-_ ]?key|secretsecret|password|passwort|qwerty/,
  /0123456789|1234567890|abcdefghij/,
];

/** `"abcdefghabcdefgh…"` is as long as it is repeated, and no longer. */
function isRepetition(text: string): boolean {
  return (text + text).indexOf(text, 1) < text.length;
}

/** For HS256 a secret needs as many bytes as the hash has; what is guessed needs no secret at all. */
export function secretShape() {
  const remedy = "make one with openssl rand -base64 48";
  return z.string().check((context) => {
    const text = context.value;
    const report = (message: string) =>
      // `input` goes with an issue and into none of its messages.
      void context.issues.push({ code: "custom", message: `${message}: ${remedy}`, input: "" });
    if (Buffer.byteLength(text) < leastBytes) report(`must have at least ${leastBytes} bytes`);
    else if (new Set(text).size < leastCharacters || isRepetition(text)) report("is too easily guessed");
    else if (samples.some((sample) => sample.test(text.toLowerCase()))) report("is a sample that others know");
  });
}
