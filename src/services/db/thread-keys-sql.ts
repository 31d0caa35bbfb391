/**
 * SQL that turns a thread key of before into one of today (see thread-key.ts): `dm:<slug>`, `<channel>/<root>`,
 * `task/<number>` and `run:<id>` become `dm|<slug>`, `ch|<channel>|<root>`, `task|<number>` and `run|<id>`. What could pass for
 * a separator inside an old key becomes `?`, which is in no id: no old key can take the place of another one's.
 */

/** `|` is no part of an id; what stands behind the first `/` is the root. */
const parts = (text: string): string =>
  `iif(instr(${text}, '/') = 0, ${text},
    substr(${text}, 1, instr(${text}, '/') - 1) || '|' || replace(substr(${text}, instr(${text}, '/') + 1), '/', '?'))`;

/** Of the SQL expression `key`; a key of no thread, e.g. that of a question, stays as it is. */
export const threadKeySql = (key: string): string => `CASE
  WHEN ${key} GLOB 'dm:*' THEN 'dm|' || ${parts(`replace(substr(${key}, 4), '|', '?')`)}
  WHEN ${key} GLOB 'task/[1-9]*' THEN 'task|' || substr(${key}, 6)
  WHEN ${key} GLOB 'run:*' THEN 'run|' || substr(${key}, 5)
  WHEN ${key} GLOB 'ch_*' THEN 'ch|' || ${parts(`replace(${key}, '|', '?')`)}
  ELSE ${key} END`;

/** A channel that is called as no channel can be: a server of ill will has put messages there (T6). */
export const noChannelSql = (id: string): string =>
  `(${id} NOT GLOB 'ch_?*' OR substr(${id}, 4) GLOB '*[^A-Za-z0-9_-]*' OR length(${id}) > 131)`;
