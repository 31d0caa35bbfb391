import type { CliPart } from '../../cli-message.ts';

export const cliRelay: CliPart<'cliRelay'> = {
  forRelayIn: '{code}\nfür den Relay-Server in {folder}',
  forUrl: '{code}\nfür {url}, gültig {days} {days|Tag|Tage}\n{link}',
  hostForm: '--host erwartet einen Namen wie chat.example.org oder chat.example.org:8443, nicht {name}.',
  inviteHere: 'Einen Einladungscode erstellt „kennel relay invite“.',
  inviteIn: 'Einen Einladungscode erstellt „kennel relay invite --data {folder}“.',
  listenForm: '--listen erwartet HOST:PORT.',
  listening: 'Der Relay-Server ist unter {url} erreichbar, Daten in {folder}.\n{invite} Strg-C beendet es.',
};
