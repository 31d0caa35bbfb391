import type { Words } from '../words.ts';

export const quickAsk: Words<'quickAsk'> = {
  title: 'Kurz fragen',
  question: '@Agent Frage',
  another: '{name} noch etwas fragen',
  keys: 'Enter sendet · /new beginnt ein Gespräch · Escape schließt',
  chooseAgent: 'Beginne mit @ und dem Namen eines Agenten.',
  unclearAgent: 'Kein einzelner Agent heißt so. Tippe @ und wähle einen aus der Liste.',
  typeQuestion: 'Schreib eine Frage an {name}.',
  noAgents: 'Es gibt keinen Agenten, den du fragen kannst.',
  paused: '{name} ist pausiert und antwortet, wenn du ihn fortsetzt.',
  resume: 'Fortsetzen',
  openChat: 'In Kennel öffnen',
  close: 'Schließen',
  answer: 'Frage und Antwort',
};
