import type { HostPart } from '../../host-part.ts';

export const settings: HostPart<'settings'> = {
  anchorsNotAllowed: 'Anker und Verweise (& und *) sind hier nicht erlaubt.',
  blockTextNextLine: 'Hinter | oder > beginnt der Text in der nächsten Zeile.',
  commentSpaceMissing: 'Vor dem # fehlt ein Leerzeichen.',
  colonSpaceMissing: 'Hinter dem Doppelpunkt fehlt ein Leerzeichen.',
  bracketNotOpened: 'Diese Klammer schließt, aber keine wurde geöffnet.',
  bracketOrIndentWrong:
    'Eine Klammer wird geöffnet und nicht geschlossen, oder ihre Zeilen sind nicht weit genug eingerückt.',
  bracketNotClosed: 'Eine Klammer wird geöffnet und nicht geschlossen.',
  colonMissing: 'Hier fehlt ein Doppelpunkt. Ein Name und sein Doppelpunkt gehören in eine Zeile.',
  colonOrIndentMissing:
    'Hinter einem Namen fehlt ein Doppelpunkt, oder diese Zeile ist anders eingerückt als die um sie herum.',
  commaMissing: 'Zwischen zwei Teilen fehlt ein Komma.',
  strayComma: 'Dieses Komma trennt nichts.',
  dashOrIndentMissing:
    'Hier fehlt ein Strich, oder diese Zeile ist anders eingerückt als die, zu denen sie gehört.',
  changedElsewhere:
    'Diese Einstellungen wurden anderswo geändert, nachdem du sie geöffnet hast. Nichts wurde gespeichert.',
  checkChanges:
    'Deine Änderungen stehen noch im Formular, neben den jetzt gespeicherten Einstellungen. Prüfe sie, dann speichere noch einmal.',
  doesNotFit: 'passt nicht',
  emptyLinesTooIndented: 'Leere Zeilen vor einem Text sind weiter eingerückt als der Text.',
  invalidField: '{field}: {why}.',
  severalDocuments: 'Eine Datei enthält ein Dokument; --- darf nicht in ihrer Mitte vorkommen.',
  mappingRequired: 'Die Datei muss aus Schlüsseln und Werten bestehen (key: value).',
  commaOrBracketMissing: 'In Klammern fehlt ein Komma, oder eine Klammer ist nicht geschlossen.',
  wrongIndent: 'Diese Zeile ist anders eingerückt als die, zu denen sie gehört.',
  listInsteadOfName: 'Hier steht eine Liste, wo ein Name erwartet wird. Prüfe die Einrückung.',
  unknownEscape:
    'Dieses Zeichen darf nicht auf einen Backslash folgen. In einfachen Anführungszeichen hat ein Backslash keine besondere Bedeutung.',
  invalidYaml: 'Das ist kein YAML: {reason}',
  quoteNotClosed: 'Ein Anführungszeichen wird hier geöffnet und nie geschlossen.',
  duplicateName: 'Derselbe Name kommt hier zweimal vor.',
  secondColon:
    'In dieser Zeile steht ein zweiter Doppelpunkt; setz einen Text, der einen hat, in Anführungszeichen.',
  trailingContent:
    'Nach dem Ende eines Werts folgt noch etwas. Setz einen Text, der mit Anführungszeichen oder Klammer beginnt, ganz in Anführungszeichen.',
  tabIndentation: 'Ein Tabulator dient hier zum Einrücken. Nimm Leerzeichen.',
  tagsNotSupported: 'Tags (!) werden hier nicht unterstützt.',
  quotesRequired: 'Mit diesem Zeichen kann ein Text nicht beginnen. Setz ihn in Anführungszeichen.',
  textTooDeep: 'Der Text ist zu tief verschachtelt.',
  theFile: 'Die Datei',
  noReleaseAddress:
    'Niemand wurde gefragt: daemon.yml nennt keine Adresse für Versionen (updates.url, https).',
  releaseUnreadable: 'Die Antwort über neue Versionen ließ sich nicht lesen.',
  releasesUnreachable: 'Die Versionen ließen sich nicht abfragen; gibt es ein Netz?',
};
