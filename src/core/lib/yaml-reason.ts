/** Replaces messages of the YAML library by the mistake that people made. */

/** The first match counts. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^Tabs are not allowed as indentation/, 'A tab stands where lines are indented; use blanks.'],
  [
    /^Nested mappings are not allowed in compact mappings/,
    'A second colon stands in this line; put a text that has one into quotes.',
  ],
  [
    /^Implicit map keys need to be followed by map values/,
    'A colon is missing behind a name, or this line is not indented as those around it.',
  ],
  [
    /^Implicit keys (?:of flow sequence pairs )?need to be on a single line/,
    'A colon is missing here: a name and its colon stand in one line.',
  ],
  [
    /^All (?:mapping|sequence) items must start at the same column/,
    'This line is not indented as those it belongs to.',
  ],
  [
    /^A block sequence may not be used as an implicit map key/,
    'A list stands where a name is expected; look at how the lines are indented.',
  ],
  [
    /^Sequence item without - indicator/,
    'A dash is missing here, or this line is not indented as those it belongs to.',
  ],
  [/^Map keys must be unique/, 'The same name stands here twice.'],
  [/^Missing closing ['"]quote/, 'A quote is opened here and never closed.'],
  [
    /^Block collections are not allowed within flow collections/,
    'Inside brackets a comma is missing, or a bracket is not closed.',
  ],
  [/^Missing , (?:or : )?between /, 'A comma is missing between two parts.'],
  [/^Missing space after : /, 'A blank is missing behind the colon.'],
  [
    /^Flow (?:map|sequence) in block collection must be sufficiently indented and end with a [\]}]/,
    'A bracket is opened and not closed, or its lines are not indented far enough.',
  ],
  [/^(?:Expected flow|Flow) (?:map|sequence) (?:to|must) end with/i, 'A bracket is opened and not closed.'],
  [/^Unexpected , in /, 'A comma stands here that separates nothing.'],
  [/^Unexpected flow-(?:map|seq)-end token/, 'A bracket is closed here that was not opened.'],
  [
    /^Unexpected (?:flow-\w+|block-\w+|scalar|double-quoted-scalar|single-quoted-scalar) at node end/,
    'Something stands behind the end of a value; put a text that begins with a quote or a bracket into quotes as a whole.',
  ],
  [
    /^(?:Plain value cannot start with|Alias cannot be)/,
    'A text cannot begin with this sign; put it into quotes.',
  ],
  [
    /^Invalid escape sequence/,
    'There is no such sign behind a backslash; in single quotes a backslash is only a backslash.',
  ],
  [/^Comments must be separated from other tokens/, 'A blank is missing before the #.'],
  [
    /^(?:Block scalar header includes extra characters|Not a YAML token)/,
    'Behind | or > the text begins in the next line.',
  ],
  [
    /^Block scalars with more-indented leading empty lines/,
    'Empty lines before a text are indented further than the text.',
  ],
  [/^Unresolved tag/, 'Tags (!) are not known here.'],
  [
    /^(?:Source contains multiple documents|Document contains trailing content)/,
    'A file holds one document; --- may not stand in its middle.',
  ],
];

/** Ends with a full stop; the library's own message if no entry matches. */
export const yamlReason = (said: string): string =>
  reasons.find(([pattern]) => pattern.test(said))?.[1] ?? `${said}.`;
