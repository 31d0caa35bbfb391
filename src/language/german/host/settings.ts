import type { HostPart } from '../../host-part.ts';

export const settings: HostPart<'settings'> = {
  anchorsAliasesNotAllowed: 'Anker und Verweise (& und *) sind hier nicht erlaubt.',
  behindTextBeginsNext: 'Hinter | oder > beginnt der Text in der nächsten Zeile.',
  blankMissingBefore: 'Vor dem # fehlt ein Leerzeichen.',
  blankMissingBehindColon: 'Hinter dem Doppelpunkt fehlt ein Leerzeichen.',
  bracketClosedNotOpened: 'Hier wird eine Klammer geschlossen, die nicht geöffnet wurde.',
  bracketOpenedNotClosed:
    'Eine Klammer wird geöffnet und nicht geschlossen, oder ihre Zeilen sind nicht weit genug eingerückt.',
  bracketOpenedNotClosed2: 'Eine Klammer wird geöffnet und nicht geschlossen.',
  colonMissing: 'Hier fehlt ein Doppelpunkt: Ein Name und sein Doppelpunkt stehen in einer Zeile.',
  colonMissingBehindName:
    'Hinter einem Namen fehlt ein Doppelpunkt, oder diese Zeile ist anders eingerückt als die um sie herum.',
  commaMissingBetweenTwo: 'Zwischen zwei Teilen fehlt ein Komma.',
  commaStandsSeparatesNothing: 'Hier steht ein Komma, das nichts trennt.',
  dashMissingLineNot:
    'Hier fehlt ein Strich, oder diese Zeile ist anders eingerückt als die, zu denen sie gehört.',
  doesNotFit: 'passt nicht',
  emptyLinesBeforeText: 'Leere Zeilen vor einem Text sind weiter eingerückt als der Text.',
  fieldWrong: '{field}: {why}.',
  fileHoldsDocument: 'Eine Datei enthält ein Dokument; --- darf nicht in ihrer Mitte stehen.',
  fileMustHoldKeys: 'Die Datei muss aus Schlüsseln und Werten bestehen (key: value).',
  insideBracketsCommaMissing: 'In Klammern fehlt ein Komma, oder eine Klammer ist nicht geschlossen.',
  lineNotIndentedBelongs: 'Diese Zeile ist anders eingerückt als die, zu denen sie gehört.',
  listStandsWhereName:
    'Eine Liste steht, wo ein Name erwartet wird; sieh nach, wie die Zeilen eingerückt sind.',
  noSuchSignBehind:
    'Dieses Zeichen gibt es hinter einem Backslash nicht; in einfachen Anführungszeichen ist er nur er selbst.',
  notYaml: 'Das ist kein YAML: {reason}',
  quoteOpenedNeverClosed: 'Ein Anführungszeichen wird hier geöffnet und nie geschlossen.',
  sameNameStandsTwice: 'Derselbe Name steht hier zweimal.',
  secondColonStandsLine:
    'In dieser Zeile steht ein zweiter Doppelpunkt; setz einen Text, der einen hat, in Anführungszeichen.',
  somethingStandsBehindEnd:
    'Hinter dem Ende eines Werts steht noch etwas; setz einen Text, der mit Anführungszeichen oder Klammer beginnt, ganz in Anführungszeichen.',
  tabStandsWhereLines: 'Ein Tabulator steht, wo Zeilen eingerückt werden; nimm Leerzeichen.',
  tagsNotKnown: 'Tags (!) sind hier nicht bekannt.',
  textCannotBeginSign: 'Mit diesem Zeichen kann ein Text nicht beginnen; setz ihn in Anführungszeichen.',
  textNestedTooDeep: 'Der Text ist zu tief verschachtelt.',
  theFile: 'Die Datei',
};
