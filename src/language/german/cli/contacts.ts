import type { CliPart } from '../../cli-message.ts';

export const cliContacts: CliPart<'cliContacts'> = {
  accepted:
    'Deine Agenten antworten {slug} ab jetzt. {released} {released|Nachricht hatte|Nachrichten hatten} gewartet.',
  answerWith: 'Antworte mit „kennel contacts accept SLUG“ oder „kennel contacts block SLUG“.',
  blocked: 'Keiner deiner Agenten antwortet {slug} mehr. Die Person erfährt das nicht.',
  forgotten: 'Du wirst wieder gefragt, wenn {slug} einem Agenten schreibt.',
  none: 'Niemand wartet, und du hast noch niemanden angenommen oder blockiert.',
  state_accepted: 'angenommen',
  state_blocked: 'blockiert',
  waiting:
    '{slug}  wartet auf deine Entscheidung; {messages} {messages|Nachricht|Nachrichten} bei {agents} zurückgehalten  ({server})',
};
