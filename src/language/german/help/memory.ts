import type { memory as english } from '../../english/help/memory.ts';
import type { Translated } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

export const memory: Translated<typeof english> = {
  'memory list': {
    summary: 'Die Notizen eines Agenten auflisten',
    examples: [
      'Alle Notizen mit Größe und Datum auflisten',
      sharedExamples.themAsJson,
      'Nur ihre Namen ausgeben',
    ],
  },
  'memory show': {
    summary: 'Eine Notiz ausgeben',
    examples: ['Die Notiz „people“ ausgeben', 'Als Datei speichern', sharedExamples.itAsJson],
  },
  'memory edit': {
    summary: 'Eine Notiz in deinem Editor ändern oder anlegen',
    options: {
      '--file': 'den Text aus dieser Datei nehmen; „-“ liest die Standardeingabe',
    },
    examples: [
      'Die Notiz „people“ in $EDITOR bearbeiten',
      'Sie durch eine Datei ersetzen',
      'Den Text von der Standardeingabe lesen',
    ],
  },
  'memory forget': {
    summary: 'Eine Notiz entfernen und ihren Verlauf behalten',
    examples: ['Die Notiz „people“ entfernen', 'Danach ihre Versionen sehen', 'Eine Version zurückholen'],
  },
  'memory confirm': {
    summary: 'Zeilen vertrauen, die der Agent neben fremden Inhalten geschrieben hat',
    options: {
      '--delete': 'diese Zeilen stattdessen löschen',
    },
    examples: [
      'Die Zeilen ansehen und ihnen dann vertrauen',
      'Die Zeilen löschen',
      'Ihnen ohne Rückfrage vertrauen',
    ],
  },
  'memory history': {
    summary: 'Die Versionen einer Notiz auflisten',
    examples: ['Alle Versionen auflisten', sharedExamples.themAsJson, 'Zu Version 3 zurückkehren'],
  },
  'memory restore': {
    summary: 'Eine ältere Version einer Notiz zur aktuellen machen',
    examples: ['Die Version finden', 'Version 3 wiederherstellen', 'Wiederherstellen und JSON ausgeben'],
  },
  import: {
    summary: 'Agenten aus einem Paket, Zip, Ordner oder puffo-agent-Ordner importieren',
    options: {
      '--passphrase': 'eines verschlüsselten Pakets: „-“ liest die Standardeingabe, die Option allein fragt',
      '--review': 'nur zeigen, was es enthält',
      '--only': 'nur diese Agenten, durch Kommas getrennt',
      '--as': 'eine andere ID für den einzigen Agenten',
      '--trust': 'auch seine Berechtigungen, Ordner und Modelladresse übernehmen',
      '--new-identity': 'seine Schlüssel weglassen und ihm eine neue Identität geben',
    },
    examples: [
      'Zeigen, was ein Paket enthält',
      'Es nach einer Rückfrage importieren',
      'Zwei Agenten von puffo-agent importieren',
    ],
  },
};
