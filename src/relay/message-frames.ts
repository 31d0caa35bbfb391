/** Envelopes on their way out: each device gets the envelope with its own entry of `recipients` only. */

/** `body` is the JSON text of an envelope without recipients; an empty entry leaves a plaintext envelope as it is. */
export function envelopeFor(body: string, entry: string): string {
  return entry === '' ? body : `${body.slice(0, -1)},"recipients":[${entry}]}`;
}

export function messageFrame(seq: number, body: string, entry: string): string {
  return `{"type":"message","seq":${seq},"envelope":${envelopeFor(body, entry)}}`;
}
