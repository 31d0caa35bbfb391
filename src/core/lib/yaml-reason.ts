import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

/** Replaces messages of the YAML library by the mistake that people made. */

/** The first match counts. */
const reasons: readonly (readonly [RegExp, HostText])[] = [
  [/^Tabs are not allowed as indentation/, say('settings.tabIndentation')],
  [/^Nested mappings are not allowed in compact mappings/, say('settings.secondColon')],
  [/^Implicit map keys need to be followed by map values/, say('settings.colonOrIndentMissing')],
  [/^Implicit keys (?:of flow sequence pairs )?need to be on a single line/, say('settings.colonMissing')],
  [/^All (?:mapping|sequence) items must start at the same column/, say('settings.wrongIndent')],
  [/^A block sequence may not be used as an implicit map key/, say('settings.listInsteadOfName')],
  [/^Sequence item without - indicator/, say('settings.dashOrIndentMissing')],
  [/^Map keys must be unique/, say('settings.duplicateName')],
  [/^Missing closing ['"]quote/, say('settings.quoteNotClosed')],
  [/^Block collections are not allowed within flow collections/, say('settings.commaOrBracketMissing')],
  [/^Missing , (?:or : )?between /, say('settings.commaMissing')],
  [/^Missing space after : /, say('settings.colonSpaceMissing')],
  [
    /^Flow (?:map|sequence) in block collection must be sufficiently indented and end with a [\]}]/,
    say('settings.bracketOrIndentWrong'),
  ],
  [/^(?:Expected flow|Flow) (?:map|sequence) (?:to|must) end with/i, say('settings.bracketNotClosed')],
  [/^Unexpected , in /, say('settings.strayComma')],
  [/^Unexpected flow-(?:map|seq)-end token/, say('settings.bracketNotOpened')],
  [
    /^Unexpected (?:flow-\w+|block-\w+|scalar|double-quoted-scalar|single-quoted-scalar) at node end/,
    say('settings.trailingContent'),
  ],
  [/^(?:Plain value cannot start with|Alias cannot be)/, say('settings.quotesRequired')],
  [/^Invalid escape sequence/, say('settings.unknownEscape')],
  [/^Comments must be separated from other tokens/, say('settings.commentSpaceMissing')],
  [/^(?:Block scalar header includes extra characters|Not a YAML token)/, say('settings.blockTextNextLine')],
  [/^Block scalars with more-indented leading empty lines/, say('settings.emptyLinesTooIndented')],
  [/^Unresolved tag/, say('settings.tagsNotSupported')],
  [
    /^(?:Source contains multiple documents|Document contains trailing content)/,
    say('settings.severalDocuments'),
  ],
];

/** Ends with a full stop; the library's own message if no entry matches. */
export const yamlReason = (said: string): HostText =>
  reasons.find(([pattern]) => pattern.test(said))?.[1] ?? `${said}.`;
