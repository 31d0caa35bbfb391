/** Moments as a file or a step names them: RFC 3339, whose seconds may be left out. */

const shape = /^(\d{4}-\d{2}-(\d{2}))[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+-]\d{2}:\d{2})$/;

/** ms since the epoch; null: no such time, such as the 30th of February. */
export function parseMoment(text: string): number | null {
  const [, date = '', day, time = '', zone = ''] = shape.exec(text.trim()) ?? [];
  const at = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  const exists = new Date(`${date}T00:00Z`).getUTCDate() === Number(day);
  return Number.isNaN(at) || !exists ? null : at;
}
