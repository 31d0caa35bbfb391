import type { puppy as english } from '../../english/help/puppy.ts';
import type { Translated } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

const fileOption = {
  '--file': 'die Datei des Ablaufs',
};

export const puppy: Translated<typeof english> = {
  'puppy run': {
    summary: 'Eine Ablaufdatei oder eine Pipeline in Anführungszeichen ausführen',
    options: {
      ...fileOption,
      '--arg': 'ein Argument des Ablaufs',
      '--args-json': 'alle Argumente als JSON-Objekt',
      '--cwd': 'Ordner der Schritte, unterhalb von diesem',
      '--dry-run': 'den Plan ausgeben und nichts ausführen',
      '--key': 'Idempotenzschlüssel: Ein zweiter Lauf damit ist der erste',
      '--mode': 'Text für Menschen oder einen Umschlag für Programme ausgeben',
      '--wait': 'auf Zeitgeber jeder Länge warten',
    },
    examples: [
      'Einen Beispielablauf über seinen Namen ausführen',
      'Ausgeben, was eine Ablaufdatei tun würde',
      'Eine Pipeline ausführen',
    ],
  },
  'puppy resume': {
    summary: 'Eine Frage eines Laufs beantworten oder einen unterbrochenen Lauf fortsetzen',
    options: {
      '--token': 'die Frage, über ihr Token',
      '--id': 'die Frage, über ihre kurze ID',
      '--approve': 'Antwort auf eine Freigabe',
      '--decision': 'dasselbe wie --approve',
      '--reason': 'warum nicht, mit --approve no',
      '--response-json': 'Antwort auf eine Bitte um Eingabe',
      '--answer': 'was aus einem unterbrochenen Schritt geworden ist',
      '--cancel': 'den Lauf beenden, der fragt',
      '--mode': 'Text für Menschen oder einen Umschlag für Programme ausgeben',
      '--wait': 'auf Zeitgeber jeder Länge warten',
    },
    examples: [
      'Eine Frage freigeben',
      'Sie zurückweisen und sagen, warum',
      'Einen unterbrochenen Lauf fortsetzen',
    ],
  },
  'puppy cancel': {
    summary: 'Einen Lauf beenden',
    examples: [
      'Einen Lauf über den Anfang seiner ID beenden',
      'Den Umschlag des beendeten Laufs ausgeben',
      'Einen Lauf des Ordners ~/.puppy beenden',
    ],
  },
  'puppy retry': {
    summary: 'Einen gescheiterten Lauf fortsetzen oder ab einem Schritt einen weiteren starten',
    options: {
      '--from': 'ab diesem Schritt einen weiteren Lauf starten; ohne Schritt die möglichen auflisten',
      '--wait': 'auf Zeitgeber jeder Länge warten',
    },
    examples: [
      'Einen Lauf bei dem Schritt fortsetzen, der gescheitert ist',
      'Die Schritte auflisten, ab denen er neu beginnen kann',
      'Ab dem Schritt „build“ einen weiteren Lauf starten',
    ],
  },
  'puppy again': {
    summary: 'Denselben Ablauf als weiteren Lauf ausführen',
    options: {
      '--current': 'seine Datei verwenden, wie sie jetzt ist',
      '--wait': 'auf Zeitgeber jeder Länge warten',
    },
    examples: [
      'Einen Lauf mit derselben Datei und denselben Argumenten wiederholen',
      'Ihn mit der geänderten Datei wiederholen',
      'Den Umschlag des neuen Laufs ausgeben',
    ],
  },
  'puppy list': {
    summary: 'Läufe und ihre offenen Fragen auflisten',
    options: {
      '--status': 'nur Läufe in diesem Zustand',
      '--archived': 'nur archivierte Läufe',
      '--sort': 'die Reihenfolge',
      '--limit': 'wie viele',
    },
    examples: [
      'Die neuesten Läufe auflisten',
      'Die Läufe auflisten, die auf eine Freigabe warten',
      'Fünf Läufe als JSON ausgeben',
    ],
  },
  'puppy archive': {
    summary: 'Beendete Läufe aus den Listen nehmen; nichts wird gelöscht',
    options: {
      '--older-than': 'alle, die früher endeten, zum Beispiel 30d',
    },
    examples: [
      'Einen Lauf archivieren',
      'Alle archivieren, die vor über einem Monat endeten',
      'Das Archiv sehen',
    ],
  },
  'puppy unarchive': {
    summary: 'Archivierte Läufe zurück in die Listen holen',
    examples: ['Einen Lauf zurückholen', 'Zwei zurückholen', 'Ihre Kennungen finden'],
  },
  'puppy show': {
    summary: 'Einen Lauf mit seinen Schritten, Fragen und Entscheidungen zeigen',
    options: {
      '--step': 'die Ausgabe dieses Schritts ausgeben',
    },
    examples: [
      'Einen Lauf zeigen',
      'Die Ausgabe des Schritts „build“ ausgeben',
      'Alle Angaben als JSON ausgeben',
    ],
  },
  'puppy log': {
    summary: 'Den Verlauf eines Laufs ausgeben oder prüfen',
    options: {
      '--verify': 'prüfen, ob der Verlauf vollständig ist; ohne Lauf den aller Läufe',
      '--export': 'den Verlauf in eine Datei schreiben',
    },
    examples: [
      'Alles ausgeben, was in einem Lauf geschehen ist',
      'Die Verläufe aller Läufe prüfen',
      'Den Verlauf in eine Datei schreiben',
    ],
  },
  'puppy check': {
    summary: 'Einen Ablauf prüfen, ohne ihn auszuführen',
    options: {
      ...fileOption,
    },
    examples: ['Eine Ablaufdatei prüfen', 'Eine Pipeline prüfen', 'Die Befunde als JSON ausgeben'],
  },
  'puppy graph': {
    summary: 'Einen Ablauf zeichnen',
    options: {
      '--format': 'Format des Bilds',
      ...fileOption,
    },
    examples: ['Ein Mermaid-Diagramm ausgeben', 'Ihn im Terminal zeichnen', 'Ein Bild schreiben'],
  },
  'puppy doctor': {
    summary: 'Prüfen, ob Abläufe hier laufen können',
    examples: [
      'Shell, Ordner und Programme prüfen',
      'Die Prüfungen als JSON ausgeben',
      'Den Ordner ~/.puppy prüfen, auch während Kennel läuft',
    ],
  },
  'puppy version': {
    summary: 'Die Version ausgeben',
    examples: ['Die Version ausgeben', sharedExamples.itAsJson, 'Die Version von Kennel ausgeben'],
  },
};
