/** Outgoing envelopes: each device gets the envelope with only its own entry of `recipients`. */

/**
 * `body` is the JSON text of an envelope without recipients; an empty entry leaves a plaintext envelope
 * unchanged.
 */
export function envelopeFor(body: string, entry: string): string {
  return entry === '' ? body : `${body.slice(0, -1)},"recipients":[${entry}]}`;
}

export function messageFrame(seq: number, body: string, entry: string): string {
  return `{"type":"message","seq":${seq},"envelope":${envelopeFor(body, entry)}}`;
}
