/** Reads responses of other servers up to a limit, so that none can fill the memory (T24). */

export interface ResponseText {
  /** UTF-8; only the start if the response is longer than the limit. */
  readonly text: string;
  readonly isWhole: boolean;
}

/** Stops reading, and ends the transfer, once more than `maxBytes` have arrived. */
export async function readResponse(response: Response, maxBytes: number): Promise<ResponseText> {
  const pieces: Uint8Array[] = [];
  let total = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece.subarray(0, maxBytes - total));
    total += piece.length;
    if (total > maxBytes) break;
  }
  return { text: Buffer.concat(pieces).toString('utf8'), isWhole: total <= maxBytes };
}
