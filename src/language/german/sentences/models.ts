import type { HostSentences } from '../../host-sentences.ts';

export const modelSentences: HostSentences = {
  '{name} needs a key or a login and there is none for this agent.':
    '{name} braucht einen Schlüssel oder eine Anmeldung, und dieser Agent hat keins von beiden.',
  'Set one with `kennel agent runtime ID --api-key -`, log in with `kennel auth login`, or choose another provider.':
    'Gib unter „Laufzeit“ einen Schlüssel ein, melde dich unter Einstellungen, Anbieter an, oder wähle einen anderen Anbieter.',
  '{name} needs {=what}.': '{name} braucht {what}.',
  'a base URL': 'eine Adresse',
  'a model name': 'den Namen eines Modells',
  'Set it with `kennel agent runtime`.': 'Trage es unter „Laufzeit“ ein.',
  'Kennel does not know a model provider called "{name}".':
    'Kennel kennt keinen Modellanbieter namens „{name}“.',
  'Use one of: {names}.': 'Möglich sind: {names}.',
  'This version of Kennel cannot talk to {name} directly yet.':
    'Diese Version von Kennel kann noch nicht direkt mit {name} sprechen.',
  'Choose another provider, or an OpenAI-compatible base URL.':
    'Wähle einen anderen Anbieter oder eine OpenAI-kompatible Adresse.',
  'This version of Kennel cannot run agents of the kind {kind} yet.':
    'Diese Version von Kennel kann Agenten der Art {kind} noch nicht ausführen.',
  '{server} refused the API key.': '{server} hat den API-Schlüssel abgelehnt.',
  'Check the key; it may be of another provider, or have run out.':
    'Prüfe den Schlüssel: Er gehört vielleicht einem anderen Anbieter oder ist abgelaufen.',
  'Check the key with `kennel agent runtime ID --api-key -`.': 'Prüfe den Schlüssel unter „Laufzeit“.',
  '{server} says the account has no credit left.': '{server} sagt, dass das Guthaben aufgebraucht ist.',
  '{server} does not know the model "{model}" or the address is wrong.':
    '{server} kennt das Modell „{model}“ nicht, oder die Adresse ist falsch.',
  'Check the model name and the base URL of this agent.': 'Prüfe Modell und Adresse dieses Agenten.',
  'Check the base URL of this agent.': 'Prüfe die Adresse dieses Agenten.',
  '{server} refused the request (answer {status}).': '{server} hat die Anfrage abgelehnt (Antwort {status}).',
  '{server} is not working right now (answer {status}).':
    '{server} arbeitet gerade nicht (Antwort {status}).',
  '{server} cannot be reached.': '{server} ist nicht erreichbar.',
  '{server} cannot be reached ({code}).': '{server} ist nicht erreichbar ({code}).',
  'Is the model server running, and is the base URL right?':
    'Läuft der Modellserver, und stimmt die Adresse?',
  '{server} did not answer within 15 seconds.': '{server} hat 15 Sekunden lang nicht geantwortet.',
  '{server} broke off with an error.': '{server} brach mit einem Fehler ab.',
  '{server} broke off in the middle of the reply.': '{server} brach mitten in der Antwort ab.',
  '{server} stopped sending.': '{server} sendet nichts mehr.',
  '{server} declined to answer this.': '{server} wollte darauf nicht antworten.',
  '{server} declined to answer this ({reason}).': '{server} wollte darauf nicht antworten ({reason}).',
  'Say it in another way, or choose another model.': 'Sag es anders, oder wähle ein anderes Modell.',
  '{server} sent something unreadable.': '{server} hat etwas Unlesbares gesendet.',
  '{server} sent far more than was asked for.': '{server} hat viel mehr gesendet, als verlangt war.',
  '{server} answered with a web page instead of a reply.': '{server} antwortete mit einer Webseite.',
  '{server} answered, but not with a list of models.':
    '{server} antwortete, aber nicht mit einer Liste von Modellen.',
  '{server} has no list of models at this address.':
    '{server} hat unter dieser Adresse keine Liste von Modellen.',
  '{server} wants an API key before it tells its models.':
    '{server} verlangt einen API-Schlüssel, bevor es seine Modelle nennt.',
  'Check the address, or write the name of the model yourself.':
    'Prüfe die Adresse, oder schreib den Namen des Modells selbst.',
  '{name} needs an address first.': '{name} braucht zuerst eine Adresse.',
  'There is no key for {name} yet.': 'Für {name} gibt es noch keinen Schlüssel.',
  'Write the key first; the list can be asked for before it is saved.':
    'Gib zuerst den Schlüssel ein; die Liste lässt sich schon vor dem Speichern holen.',
  'There is no such provider.': 'Diesen Anbieter gibt es nicht.',
  'There is no list of models to ask for here.': 'Hier gibt es keine Liste von Modellen.',
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
  'The conversation is too large for {server}.': 'Das Gespräch ist zu groß für {server}.',
  '{provider} wants a pause of {n} s.': '{provider} will eine Pause von {n} s.',
  'Waiting: {provider} asked for a pause.': 'Wartet: {provider} hat um eine Pause gebeten.',
  'The reply was stopped.': 'Die Antwort wurde angehalten.',
  'This Kennel has no model to think with.': 'Dieses Kennel hat kein Modell zum Denken.',
  'The scripted helper broke off, because you asked it to fail.':
    'Der Skript-Helfer brach ab, weil du darum gebeten hast.',
  'Nothing is wrong. Send another message.': 'Alles in Ordnung. Schick eine andere Nachricht.',
  'You are not logged in to {provider}.': 'Du bist bei {provider} nicht angemeldet.',
  'Log in again with "kennel auth login {provider}".': 'Melde dich unter Einstellungen, Anbieter neu an.',
  'Log in again with `kennel auth login`.': 'Melde dich unter Einstellungen, Anbieter neu an.',
  'The login to {provider} is over.': 'Die Anmeldung bei {provider} ist abgelaufen.',
  'The provider has ended this login.': 'Der Anbieter hat diese Anmeldung beendet.',
  'The login was declined. You are not logged in.':
    'Die Anmeldung wurde abgelehnt. Du bist nicht angemeldet.',
  'The login was stopped.': 'Die Anmeldung wurde abgebrochen.',
  'Nobody finished the login in time. You are not logged in.':
    'Die Anmeldung wurde nicht rechtzeitig abgeschlossen. Du bist nicht angemeldet.',
  'Nobody confirmed the login in time. You are not logged in.':
    'Die Anmeldung wurde nicht rechtzeitig bestätigt. Du bist nicht angemeldet.',
  'The login server answered with something unreadable. You are not logged in.':
    'Der Anmeldeserver antwortete mit etwas Unlesbarem. Du bist nicht angemeldet.',
  'There is no such login under way.': 'Diese Anmeldung läuft nicht mehr.',
  'This login is over. Start it again in Kennel.': 'Diese Anmeldung ist vorbei. Beginne sie in Kennel neu.',
  'Kennel knows of no login to {name} for programs like this one.':
    'Kennel kennt bei {name} keine Anmeldung für Programme wie dieses.',
  'Use an API key, or describe your own registered client under "logins" in daemon.yml.':
    'Nimm einen API-Schlüssel, oder beschreibe deinen eigenen Client unter „logins“ in daemon.yml.',
  'The key was not stored: there is nothing safe to keep it in yet.':
    'Der Schlüssel wurde nicht gespeichert: Es gibt noch keinen sicheren Ort dafür.',
  'Unlock a keychain or choose a passphrase, then set the key again.':
    'Entsperre einen Schlüsselbund oder wähle eine Passphrase, und gib den Schlüssel dann noch einmal ein.',
};
