/** Bytes uploaded per file of messages that are being sent. */
export interface UploadProgress {
  /** Returns true if the progress changed enough to be shown. */
  heard(envelopeId: string, index: number, sentBytes: number): boolean;
  sent(envelopeId: string, index: number): number | null;
  forget(envelopeId: string): void;
}

/** Bytes between two progress updates of a file. */
const step = 256 * 1024;

export function createUploadProgress(): UploadProgress {
  const messages = new Map<string, Map<number, number>>();
  return {
    heard(envelopeId, index, sentBytes) {
      const files = messages.get(envelopeId) ?? new Map<number, number>();
      messages.set(envelopeId, files);
      const before = files.get(index);
      const shown = before === undefined || sentBytes < before || sentBytes - before >= step;
      if (shown) files.set(index, sentBytes);
      return shown;
    },
    sent: (envelopeId, index) => messages.get(envelopeId)?.get(index) ?? null,
    forget: (envelopeId) => void messages.delete(envelopeId),
  };
}
