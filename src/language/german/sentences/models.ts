import type { HostSentences } from '../../host-sentences.ts';

export const modelSentences: HostSentences = {
  'a base URL': 'eine Adresse',
  'a model name': 'den Namen eines Modells',
  'Kennel does not know a model provider called "{name}".':
    'Kennel kennt keinen Modellanbieter namens „{name}“.',
  'Use one of: {names}.': 'Möglich sind: {names}.',
  '{server} refused the API key.': '{server} hat den API-Schlüssel abgelehnt.',
  'Check the key; it may be of another provider, or have run out.':
    'Prüfe den Schlüssel: Er gehört vielleicht einem anderen Anbieter oder ist abgelaufen.',
  'Check the key with `kennel agent runtime ID --api-key -`.': 'Prüfe den Schlüssel unter „Laufzeit“.',
  '{server} does not know the model "{model}" or the address is wrong.':
    '{server} kennt das Modell „{model}“ nicht, oder die Adresse ist falsch.',
  'Check the model name and the base URL of this agent.': 'Prüfe Modell und Adresse dieses Agenten.',
  'Check the base URL of this agent.': 'Prüfe die Adresse dieses Agenten.',
  '{server} is not working right now (answer {status}).':
    '{server} arbeitet gerade nicht (Antwort {status}).',
  '{server} cannot be reached.': '{server} ist nicht erreichbar.',
  '{server} cannot be reached ({code}).': '{server} ist nicht erreichbar ({code}).',
  'Is the model server running, and is the base URL right?':
    'Läuft der Modellserver, und stimmt die Adresse?',
  '{server} declined to answer this ({reason}).': '{server} wollte darauf nicht antworten ({reason}).',
  'Say it in another way, or choose another model.': 'Sag es anders, oder wähle ein anderes Modell.',
  '{server} answered with a web page instead of a reply.': '{server} antwortete mit einer Webseite.',
  '{server} wants an API key before it tells its models.':
    '{server} verlangt einen API-Schlüssel, bevor es seine Modelle nennt.',
  'The model cannot be reached now.': 'Das Modell ist gerade nicht erreichbar.',
  'The model is not there.': 'Das Modell gibt es dort nicht.',
  'The model refused the key.': 'Das Modell hat den Schlüssel abgelehnt.',
  'The model refused the request.': 'Das Modell hat die Anfrage abgelehnt.',
  'The model is asked too often, or a budget is used up.':
    'Das Modell wird zu oft gefragt, oder ein Budget ist aufgebraucht.',
  'The model gave no answer.': 'Das Modell gab keine Antwort.',
  'The model has sent nothing for {n} s.': 'Das Modell hat {n} s lang nichts gesendet.',
  'The conversation is too large for the model.': 'Das Gespräch ist zu groß für das Modell.',
  'The instructions and tools of this agent need about {n} tokens, and the window of its model has {window}. Choose a model with a larger window, or give the agent fewer tools.':
    'Anweisungen und Werkzeuge dieses Agenten brauchen etwa {n} Token, und das Fenster seines Modells hat {window}. Wähle ein Modell mit größerem Fenster, oder gib dem Agenten weniger Werkzeuge.',
  'Log in again with `kennel auth login`.': 'Melde dich unter Einstellungen, Anbieter neu an.',
  'This login is over. Start it again in Kennel.': 'Diese Anmeldung ist vorbei. Beginne sie in Kennel neu.',
};
