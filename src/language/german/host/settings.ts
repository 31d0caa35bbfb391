import type { HostPart } from '../../host-part.ts';

export const settings: HostPart<'settings'> = {
  anchorsNotAllowed: 'Anker und Verweise (& und *) sind hier nicht erlaubt.',
  blockTextNextLine: 'Hinter | oder > beginnt der Text in der nächsten Zeile.',
  commentSpaceMissing: 'Vor dem # fehlt ein Leerzeichen.',
  colonSpaceMissing: 'Hinter dem Doppelpunkt fehlt ein Leerzeichen.',
  bracketNotOpened: 'Hier wird eine Klammer geschlossen, die nicht geöffnet wurde.',
  bracketOrIndentWrong:
    'Eine Klammer wird geöffnet und nicht geschlossen, oder ihre Zeilen sind nicht weit genug eingerückt.',
  bracketNotClosed: 'Eine Klammer wird geöffnet und nicht geschlossen.',
  colonMissing: 'Hier fehlt ein Doppelpunkt: Ein Name und sein Doppelpunkt stehen in einer Zeile.',
  colonOrIndentMissing:
    'Hinter einem Namen fehlt ein Doppelpunkt, oder diese Zeile ist anders eingerückt als die um sie herum.',
  commaMissing: 'Zwischen zwei Teilen fehlt ein Komma.',
  strayComma: 'Hier steht ein Komma, das nichts trennt.',
  dashOrIndentMissing:
    'Hier fehlt ein Strich, oder diese Zeile ist anders eingerückt als die, zu denen sie gehört.',
  doesNotFit: 'passt nicht',
  emptyLinesTooIndented: 'Leere Zeilen vor einem Text sind weiter eingerückt als der Text.',
  invalidField: '{field}: {why}.',
  severalDocuments: 'Eine Datei enthält ein Dokument; --- darf nicht in ihrer Mitte stehen.',
  mappingRequired: 'Die Datei muss aus Schlüsseln und Werten bestehen (key: value).',
  commaOrBracketMissing: 'In Klammern fehlt ein Komma, oder eine Klammer ist nicht geschlossen.',
  wrongIndent: 'Diese Zeile ist anders eingerückt als die, zu denen sie gehört.',
  listInsteadOfName:
    'Eine Liste steht, wo ein Name erwartet wird; sieh nach, wie die Zeilen eingerückt sind.',
  unknownEscape:
    'Dieses Zeichen gibt es hinter einem Backslash nicht; in einfachen Anführungszeichen ist er nur er selbst.',
  invalidYaml: 'Das ist kein YAML: {reason}',
  quoteNotClosed: 'Ein Anführungszeichen wird hier geöffnet und nie geschlossen.',
  duplicateName: 'Derselbe Name steht hier zweimal.',
  secondColon:
    'In dieser Zeile steht ein zweiter Doppelpunkt; setz einen Text, der einen hat, in Anführungszeichen.',
  trailingContent:
    'Hinter dem Ende eines Werts steht noch etwas; setz einen Text, der mit Anführungszeichen oder Klammer beginnt, ganz in Anführungszeichen.',
  tabIndentation: 'Ein Tabulator steht, wo Zeilen eingerückt werden; nimm Leerzeichen.',
  tagsNotSupported: 'Tags (!) sind hier nicht bekannt.',
  quotesRequired: 'Mit diesem Zeichen kann ein Text nicht beginnen; setz ihn in Anführungszeichen.',
  textTooDeep: 'Der Text ist zu tief verschachtelt.',
  theFile: 'Die Datei',
};
