/**
 * SQL that converts an old thread key to the current form (see thread-key.ts): `dm:<slug>`,
 * `<channel>/<root>`, `task/<number>` and `run:<id>` become `dm|<slug>`, `ch|<channel>|<root>`,
 * `task|<number>` and `run|<id>`. A character inside an old key that could pass for a separator becomes `?`,
 * which is in no id, so that no two old keys collide.
 */

/** No id contains `|`; the root follows the first `/`. */
const parts = (text: string): string =>
  `iif(instr(${text}, '/') = 0, ${text},
    substr(${text}, 1, instr(${text}, '/') - 1) || '|' || replace(substr(${text}, instr(${text}, '/') + 1), '/', '?'))`;

/** `key` is an SQL expression. A key that names no thread, e.g. that of an approval, stays unchanged. */
export const threadKeySql = (key: string): string => `CASE
  WHEN ${key} GLOB 'dm:*' THEN 'dm|' || ${parts(`replace(substr(${key}, 4), '|', '?')`)}
  WHEN ${key} GLOB 'task/[1-9]*' THEN 'task|' || substr(${key}, 6)
  WHEN ${key} GLOB 'run:*' THEN 'run|' || substr(${key}, 5)
  WHEN ${key} GLOB 'ch_*' THEN 'ch|' || ${parts(`replace(${key}, '|', '?')`)}
  ELSE ${key} END`;

/** Matches channel ids that no channel can have: a malicious server has stored messages under them (T6). */
export const noChannelSql = (id: string): string =>
  `(${id} NOT GLOB 'ch_?*' OR substr(${id}, 4) GLOB '*[^A-Za-z0-9_-]*' OR length(${id}) > 131)`;
