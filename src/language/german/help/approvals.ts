import type { approvals as english } from '../../english/help/approvals.ts';
import type { Translated } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

export const approvals: Translated<typeof english> = {
  'approvals list': {
    summary: 'Offene Fragen auflisten',
    options: {
      '--all': 'auch beantwortete',
      '--agent': 'nur von diesem Agenten',
      '--limit': 'wie viele',
    },
    examples: [
      'Auflisten, was auf dich wartet',
      'Die letzten zehn auflisten, auch beantwortete',
      'Die Fragen eines Agenten als JSON ausgeben',
    ],
  },
  'approvals show': {
    summary: 'Eine Frage mit allen Einzelheiten zeigen',
    examples: ['Eine Frage über den Anfang ihrer ID zeigen', sharedExamples.itAsJson, sharedExamples.findId],
  },
  'approvals allow': {
    summary: 'Einmal oder öfter erlauben',
    options: {
      '--session': 'auch ähnliche Aufrufe, bis Kennel endet',
      '--exact': 'auch genau diesen Aufruf, immer',
      '--pattern': 'auch alles, was zu seinem Muster passt, immer',
    },
    examples: ['Einmal erlauben', 'Ähnliche Aufrufe erlauben, bis Kennel endet', 'Genau dies immer erlauben'],
  },
  'approvals deny': {
    summary: 'Ablehnen und dem Agenten den Grund sagen',
    examples: ['Ablehnen', 'Mit einem Grund ablehnen', 'Die Entscheidung als JSON ausgeben'],
  },
  'approvals respond': {
    summary: 'Einem Ablauf, der um eine Eingabe bittet, mit JSON antworten',
    examples: ['Die Form der Antwort sehen', 'Antworten', 'Die Entscheidung als JSON ausgeben'],
  },
  'approvals settle': {
    summary: 'Sagen, was aus einem unterbrochenen Schritt eines Ablaufs geworden ist',
    examples: [
      'Er ist geschehen: danach weitermachen',
      'Er ist nicht geschehen: ihn wiederholen',
      'Den Lauf beenden',
    ],
  },
  'approvals grants': {
    summary: 'Dauerhafte Erlaubnisse auflisten',
    options: {
      '--agent': 'nur von diesem Agenten',
    },
    examples: ['Alle Erlaubnisse auflisten', 'Die eines Agenten auflisten', sharedExamples.themAsJson],
  },
  'approvals revoke': {
    summary: 'Eine dauerhafte Erlaubnis entfernen',
    examples: ['Eine Erlaubnis entfernen', sharedExamples.findId, sharedExamples.resultAsJson],
  },
  'policy test': {
    summary: 'Zeigen, wie eine Regeldatei über die letzten Aufrufe entschieden hätte',
    options: {
      '--days': 'wie viele Tage zurück',
      '--agent': 'nur Aufrufe dieses Agenten',
    },
    examples: [
      'Regeln an den Aufrufen von 30 Tagen testen',
      'Nur ein Agent und eine Woche',
      'Die Regeln einer agent.yml testen',
    ],
  },
  'audit verify': {
    summary: 'Prüfen, ob das Prüfprotokoll unverändert ist',
    examples: ['Das Protokoll prüfen', sharedExamples.resultAsJson, 'In einem Skript auf Probleme reagieren'],
  },
  'audit show': {
    summary: 'Die neuesten Zeilen des Prüfprotokolls ausgeben',
    options: {
      '--agent': 'nur von diesem Agenten',
      '--limit': 'wie viele',
    },
    examples: [
      'Die letzten 50 Zeilen ausgeben',
      'Zehn Zeilen über einen Agenten ausgeben',
      sharedExamples.themAsJson,
    ],
  },
};
