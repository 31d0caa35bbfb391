/** RFC 3339 times in files and steps; the seconds may be left out. */

const shape = /^(\d{4}-\d{2}-(\d{2}))[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+-]\d{2}:\d{2})$/;

/** ms since the epoch; `null` for an invalid time, such as 30 February. */
export function parseMoment(text: string): number | null {
  const [, date = '', day, time = '', zone = ''] = shape.exec(text.trim()) ?? [];
  const at = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  const exists = new Date(`${date}T00:00Z`).getUTCDate() === Number(day);
  return Number.isNaN(at) || !exists ? null : at;
}
