import type { sharedExamples as english } from '../../english/help/shared-examples.ts';
import type { Translated } from '../../help-part.ts';

export const sharedExamples: Translated<typeof english> = {
  themAsJson: 'Als JSON ausgeben',
  itAsJson: 'Als JSON ausgeben',
  resultAsJson: 'Das Ergebnis als JSON ausgeben',
  agentAsJson: 'Den Agenten als JSON ausgeben',
  taskAsJson: 'Die Aufgabe als JSON ausgeben',
  findMessage: 'Die ID einer Nachricht finden',
  findConversation: 'Die IDs der Gespräche finden',
  findId: 'Die ID finden',
};
