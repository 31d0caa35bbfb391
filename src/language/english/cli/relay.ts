export const cliRelay = {
  forRelayIn: '{code}\nfor the relay in {folder}',
  forUrl: '{code}\nfor {url}, valid for {days} days\n{link}',
  hostForm: '--host takes a name such as chat.example.org or chat.example.org:8443, not {name}.',
  inviteHere: 'Make an invite with "kennel relay invite".',
  inviteIn: 'Make an invite with "kennel relay invite --data {folder}".',
  listenForm: '--listen takes HOST:PORT.',
  listening: 'Relay listening at {url}, data in {folder}.\n{invite} Ctrl-C stops it.',
} as const;
