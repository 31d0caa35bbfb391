import type { CliPart } from '../../cli-message.ts';

export const cliPs: CliPart<'cliPs'> = {
  age: 'ALTER',
  children: 'KINDPROZESSE',
  cpu: 'CPU-ZEIT',
  files: 'DATEIEN',
  hours: '{n, number} Std.',
  memory: 'SPEICHER',
  minutes: '{n, number} Min.',
  noOutput: '{program} hat keinen Fehler ausgegeben.',
  none: 'Zurzeit läuft kein Programm eines Agenten.',
  open: 'keine',
  pid: 'PID',
  restarted: '{program} von {agent} beendet. Ein offener Zug geht in einem neuen Prozess weiter.',
  sandbox: 'SANDBOX',
  sandboxed: 'ja',
  seconds: '{n, number} s',
  stopped: '{program} von {agent} ist beendet. Die nächste Nachricht an den Agenten startet es wieder.',
  unknown: 'Kein Programm eines Agenten hat die Prozessnummer {pid}. „kennel ps“ listet sie auf.',
};
