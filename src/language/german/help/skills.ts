import type { skills as english } from '../../english/help/skills.ts';
import type { Translated } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

export const skills: Translated<typeof english> = {
  'skills list': {
    summary: 'Fertigkeiten mit Zustand und Warnungen auflisten',
    examples: [
      'Die Fertigkeiten für alle Agenten auflisten',
      'Die eines Agenten auflisten',
      sharedExamples.themAsJson,
    ],
  },
  'skills show': {
    summary: 'Eine Fertigkeit mit ihren Dateien ausgeben',
    options: { '--agent': 'so wie dieser Agent sie hat' },
    examples: [
      'Eine Fertigkeit für alle Agenten ausgeben',
      'Eine Fertigkeit eines Agenten ausgeben',
      sharedExamples.itAsJson,
    ],
  },
  'skills install': {
    summary: 'Fertigkeiten aus einem Ordner, einem Zip-Archiv oder einem git-Bundle installieren',
    options: {
      '--agent': 'nur für diesen Agenten',
      '--only': 'nur diese Fertigkeiten, durch Kommas getrennt',
    },
    examples: [
      'Die Dateien lesen und für alle Agenten installieren',
      'Zwei Fertigkeiten eines Zip-Archivs installieren',
      'Ein git-Bundle ohne Frage für einen Agenten installieren',
    ],
  },
  'skills update': {
    summary: 'Eine Fertigkeit von ihrer Herkunft neu installieren',
    options: { '--agent': 'die dieses Agenten' },
    examples: [
      'Den Unterschied ansehen und installieren',
      'Die Fertigkeit eines Agenten aktualisieren',
      'Ohne Frage aktualisieren',
    ],
  },
  'skills remove': {
    summary: 'Eine installierte Fertigkeit löschen',
    options: { '--agent': 'die dieses Agenten' },
    examples: [
      'Eine Fertigkeit aller Agenten löschen',
      'Eine Fertigkeit eines Agenten löschen',
      sharedExamples.resultAsJson,
    ],
  },
  'skills enable': {
    summary: 'Einem Agenten eine Fertigkeit geben',
    examples: [
      'Nachsehen, welche Fertigkeiten es gibt',
      'Ihm eine Fertigkeit von Kennel geben',
      sharedExamples.resultAsJson,
    ],
  },
  'skills disable': {
    summary: 'Einem Agenten eine Fertigkeit nehmen',
    examples: ['Nachsehen, welche Fertigkeiten er hat', 'Ihm eine nehmen', sharedExamples.resultAsJson],
  },
  'skills accept': {
    summary: 'Eine Fertigkeit des Arbeitsordners annehmen, so wie sie jetzt ist',
    examples: [
      'Nachsehen, welche nicht angenommen sind',
      'Die Dateien lesen und annehmen',
      'Ohne Frage annehmen',
    ],
  },
  'skills validate': {
    summary: 'Einen Ordner nach dem Standard AgentSkills prüfen',
    examples: ['Einen Ordner prüfen', 'Den Ordner prüfen, in dem du bist', sharedExamples.resultAsJson],
  },
};
