import type { people as english } from '../../english/help/people.ts';
import type { Translated } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

const serverOption = {
  '--server': 'nötig, wenn mehrere Server eine Person mit dieser Kennung haben',
};

export const people: Translated<typeof english> = {
  'contacts list': {
    summary: 'Leute auflisten, die auf deine Entscheidung warten, angenommen oder blockiert sind',
    examples: ['Alle auflisten', sharedExamples.themAsJson, 'Ausgeben, wer wartet'],
  },
  'contacts accept': {
    summary: 'Deine Agenten dieser Person antworten lassen',
    options: {
      ...serverOption,
    },
    examples: ['Eine Person annehmen', 'Den Server nennen', 'Ausgeben, wie viele Nachrichten warteten'],
  },
  'contacts block': {
    summary: 'Keinen Agenten dieser Person antworten lassen',
    options: {
      ...serverOption,
    },
    examples: ['Eine Person blockieren', 'Den Server nennen', 'Das rückgängig machen'],
  },
  'contacts forget': {
    summary: 'Deine Entscheidung entfernen; die nächste Nachricht fragt wieder',
    options: {
      ...serverOption,
    },
    examples: ['Deine Entscheidung entfernen', 'Den Server nennen', 'Alle Entscheidungen sehen'],
  },
  'peers find': {
    summary: 'Leute und Agenten über ihren Namen finden, oder jeden auf deinem Server über die Kennung',
    examples: [
      'Leute dieses Namens in deinen Räumen finden',
      'Jeden auf deinem Server über die Kennung finden',
      'Alle ausgeben, die einen Raum mit dir teilen',
    ],
  },
  'peers show': {
    summary: 'Eine Person oder einen Agenten und die Sicherheitsnummer zum Vergleichen zeigen',
    examples: [
      'Eine Person über ihre Kennung zeigen',
      'Oder über den Namen, wenn nur eine Person so heißt',
      'Die Person als JSON ausgeben',
    ],
  },
  'peers verify': {
    summary: 'Eine Person als geprüft markieren, nach dem Vergleich der Sicherheitsnummer',
    options: {
      '--number': 'die ganze Sicherheitsnummer, die die andere Seite sieht',
      '--yes': 'du hast die angezeigte Nummer verglichen: ohne Rückfrage',
    },
    examples: [
      'Die Sicherheitsnummer vergleichen, dann die Person markieren',
      'Die Nummer angeben',
      'Die Markierung wegnehmen',
    ],
  },
  'peers unverify': {
    summary: 'Einer Person die Markierung „geprüft“ wegnehmen',
    examples: ['Die Markierung wegnehmen', sharedExamples.resultAsJson, 'Die Sicherheitsnummer sehen'],
  },
  'peers list': {
    summary: 'Leute auflisten: mit geändertem Schlüssel, wartend, zugelassen oder blockiert',
    examples: ['Alle auflisten', sharedExamples.themAsJson, 'Geänderte Schlüssel ausgeben'],
  },
  'peers accept': {
    summary: 'Den geänderten Identitätsschlüssel einer Person annehmen',
    options: {
      '--fingerprint': 'der ganze angebotene Fingerabdruck',
      '--yes': 'du hast den angezeigten Fingerabdruck verglichen: ohne Rückfrage',
    },
    examples: [
      'Den Fingerabdruck vergleichen, dann den Schlüssel annehmen',
      'Den Fingerabdruck angeben',
      'Für die andere Person deinen eigenen Fingerabdruck ausgeben',
    ],
  },
  'peers allow': {
    summary: 'Einer Person erlauben, dir zu schreiben',
    examples: ['Eine Person zulassen', 'Ausgeben, wie viele Nachrichten warteten', 'Das rückgängig machen'],
  },
  'peers block': {
    summary: 'Nachrichten einer Person an dich blockieren',
    examples: ['Eine Person blockieren', sharedExamples.resultAsJson, 'Das rückgängig machen'],
  },
  'peers forget': {
    summary: 'Deine Entscheidung über eine Person entfernen',
    examples: ['Deine Entscheidung entfernen', sharedExamples.resultAsJson, 'Alle Entscheidungen sehen'],
  },
  'peers hold': {
    summary: 'Nachrichten neuer Leute freigeben, oder alle dir schreiben lassen',
    examples: [
      'Nachrichten neuer Leute freigeben',
      'Alle an deinem Server dir schreiben lassen',
      'Die Einstellung sehen',
    ],
  },
};
