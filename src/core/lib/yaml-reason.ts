import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

/** Replaces messages of the YAML library by the mistake that people made. */

/** The first match counts. */
const reasons: readonly (readonly [RegExp, HostText])[] = [
  [/^Tabs are not allowed as indentation/, say('settings.tabStandsWhereLines')],
  [/^Nested mappings are not allowed in compact mappings/, say('settings.secondColonStandsLine')],
  [/^Implicit map keys need to be followed by map values/, say('settings.colonMissingBehindName')],
  [/^Implicit keys (?:of flow sequence pairs )?need to be on a single line/, say('settings.colonMissing')],
  [/^All (?:mapping|sequence) items must start at the same column/, say('settings.lineNotIndentedBelongs')],
  [/^A block sequence may not be used as an implicit map key/, say('settings.listStandsWhereName')],
  [/^Sequence item without - indicator/, say('settings.dashMissingLineNot')],
  [/^Map keys must be unique/, say('settings.sameNameStandsTwice')],
  [/^Missing closing ['"]quote/, say('settings.quoteOpenedNeverClosed')],
  [/^Block collections are not allowed within flow collections/, say('settings.insideBracketsCommaMissing')],
  [/^Missing , (?:or : )?between /, say('settings.commaMissingBetweenTwo')],
  [/^Missing space after : /, say('settings.blankMissingBehindColon')],
  [
    /^Flow (?:map|sequence) in block collection must be sufficiently indented and end with a [\]}]/,
    say('settings.bracketOpenedNotClosed'),
  ],
  [/^(?:Expected flow|Flow) (?:map|sequence) (?:to|must) end with/i, say('settings.bracketOpenedNotClosed2')],
  [/^Unexpected , in /, say('settings.commaStandsSeparatesNothing')],
  [/^Unexpected flow-(?:map|seq)-end token/, say('settings.bracketClosedNotOpened')],
  [
    /^Unexpected (?:flow-\w+|block-\w+|scalar|double-quoted-scalar|single-quoted-scalar) at node end/,
    say('settings.somethingStandsBehindEnd'),
  ],
  [/^(?:Plain value cannot start with|Alias cannot be)/, say('settings.textCannotBeginSign')],
  [/^Invalid escape sequence/, say('settings.noSuchSignBehind')],
  [/^Comments must be separated from other tokens/, say('settings.blankMissingBefore')],
  [
    /^(?:Block scalar header includes extra characters|Not a YAML token)/,
    say('settings.behindTextBeginsNext'),
  ],
  [/^Block scalars with more-indented leading empty lines/, say('settings.emptyLinesBeforeText')],
  [/^Unresolved tag/, say('settings.tagsNotKnown')],
  [
    /^(?:Source contains multiple documents|Document contains trailing content)/,
    say('settings.fileHoldsDocument'),
  ],
];

/** Ends with a full stop; the library's own message if no entry matches. */
export const yamlReason = (said: string): HostText =>
  reasons.find(([pattern]) => pattern.test(said))?.[1] ?? `${said}.`;
