import type { CliPart } from '../../cli-message.ts';

export const cliMemory: CliPart<'cliMemory'> = {
  byAgent: 'Agent',
  byYou: 'du',
  deleteLines: 'Diese Zeilen löschen?',
  forgot:
    'Die Notiz „{name}“ ist gelöscht. „kennel memory history {agent} {name}“ zeigt, wie du sie wiederherstellst.',
  forgotten: 'Die Notiz „{name}“ wurde gelöscht.',
  goBack: 'Eine frühere Version stellst du mit „kennel memory restore {agent} {name} VERSION“ wieder her.',
  inPrompt: '{size} Notizen gehen in jeden Arbeitsgang.',
  isForgotten: 'gelöscht',
  linesDeleted: 'Diese Zeilen sind aus „{name}“ gelöscht.',
  lookAtLines:
    'Sieh dir die neuen Zeilen an und bestätige oder lösche sie: „kennel memory confirm {agent} {name}“.',
  needsYes: 'Dafür ist deine Zustimmung nötig.',
  noNotes: '{agent} hat noch keine Notizen.',
  notConfirmed: 'nicht bestätigt',
  nothingWaits: 'In „{name}“ wartet nichts auf deine Bestätigung.',
  readThenYes: 'Füge --yes hinzu, wenn du die Zeilen gelesen hast.',
  restored: 'Die Notiz „{name}“ ist wieder wie in Version {version}.',
  saved: 'Die Notiz „{name}“ von {agent} ist gespeichert.',
  showsHeld: '„kennel memory history {agent} {name}“ zeigt, was darin stand.',
  showsThem: '„kennel memory history {agent} {name}“ zeigt sie.',
  trustLines: 'Diesen Zeilen als Anweisungen von {agent} vertrauen?',
  trusted: 'bestätigt',
  trustedNow: '„{name}“ ist jetzt vertrauenswürdig.',
  whichVersion: 'Welche Version?',
  writtenBeside: 'Geschrieben, während nicht vertrauenswürdiger Text im Gespräch war:',
};
