import type { HostSentences } from '../../host-sentences.ts';

/** Reasons of approvals and policy decisions, and the rules that an answer would store. */
export const consentSentences: HostSentences = {
  'It asks because {=why}.': 'Gefragt wird, weil {why}.',
  '{=why} The agent says: "{words}"': '{why} Der Agent sagt: „{words}“',
  'Not allowed: {=why}, and it works unattended, so nobody is asked.':
    'Nicht erlaubt: {why}, und er arbeitet ohne Aufsicht, also wird niemand gefragt.',
  'it could do harm that is hard to undo': 'es Schaden anrichten könnte, der schwer gutzumachen ist',
  'it changes something': 'es etwas ändert',
  'it acts outside its workspace after reading what others wrote':
    'er außerhalb seines Arbeitsordners handelt, nachdem er Worte anderer gelesen hat',
  '{~who} may not know what the answer may tell: {~what}':
    '{who} vielleicht nicht wissen darf, was die Antwort verrät: {what}',
  'its files': 'seine Dateien',
  'its notes': 'seine Notizen',
  'its tasks': 'seine Aufgaben',
  'its workflows': 'seine Workflows',
  'what its other tools showed it': 'was seine anderen Werkzeuge ihm gezeigt haben',
  'messages of {room}': 'Nachrichten von {room}',
  '{=some} and {=last}': '{some} und {last}',
  '{=some}, {=next}': '{some}, {next}',
  '{count} more': '{count} weitere',
  '{room} (readers unknown)': '{room} (Leser unbekannt)',
  '{room} ({count} others)': '{room} ({count} andere)',
  'this answer, now': 'diese Antwort, jetzt',
  'share {~what} with {~where}': '{what} mit {where} teilen',
  'a rule says "{rule}"': 'eine Regel „{rule}“ sagt',
  "it touches Kennel's own files": 'es Kennels eigene Dateien berührt',
  'it changes files that git acts on': 'es Dateien ändert, nach denen Git handelt',
  'it changes what an agent is told or which programs it starts':
    'es ändert, was einem Agenten gesagt wird oder welche Programme er startet',
  'it changes something outside the folders this agent may change':
    'es etwas außerhalb der Ordner ändert, die dieser Agent ändern darf',
  'it deletes for good': 'es endgültig löscht',
  'it runs with your own rights, in no sandbox': 'es mit deinen eigenen Rechten läuft, ohne Sandbox',
  'it writes to another room after reading what others wrote':
    'er in einen anderen Raum schreibt, nachdem er Worte anderer gelesen hat',
  'You allowed this before.': 'Das hast du schon erlaubt.',
  'Low risk.': 'Geringes Risiko.',
  'It works unattended, and this stays in its folders.':
    'Er arbeitet ohne Aufsicht, und das bleibt in seinen Ordnern.',
  'Not allowed: this reaches outside its folders and sandbox, and it works unattended, so nobody is asked.':
    'Nicht erlaubt: Das reicht über seine Ordner und die Sandbox hinaus, und er arbeitet ohne Aufsicht, also wird niemand gefragt.',
  'It stays in folders you trust this agent with.':
    'Es bleibt in Ordnern, die du diesem Agenten anvertraust.',
  'Not allowed: it asks for the rights of another user.':
    'Nicht erlaubt: Es verlangt die Rechte eines anderen Benutzers.',
  'Not allowed: a rule says "{rule}".': 'Nicht erlaubt: Eine Regel sagt „{rule}“.',
  'A rule says "{rule}".': 'Eine Regel sagt „{rule}“.',
  'this call, now': 'dieser Aufruf, jetzt',
  '{tool} with exactly these arguments': '{tool} mit genau diesen Argumenten',
  '{=what}, until Kennel stops': '{what}, bis Kennel beendet wird',
  '{what}, until Kennel stops': '{what}, bis Kennel beendet wird',
  'the team chat': 'der Team-Chat',
  '{room}, a thread': '{room}, ein Thread',
  'your notes': 'seine Notizen',
  'its skills': 'seine Fertigkeiten',
  'its settings': 'seine Einstellungen',
  'its MCP servers': 'seine MCP-Server',
  '{folder} (no sandbox: with your own rights)': '{folder} (ohne Sandbox: mit deinen eigenen Rechten)',
  'nobody answered in time': 'niemand hat rechtzeitig geantwortet',
  'the turn was stopped': 'die Runde wurde angehalten',
  'the turn ended': 'die Runde war zu Ende',
  'nobody needs it any more': 'niemand braucht es mehr',
  'it would do something else by now': 'inzwischen würde etwas anderes geschehen',
  'wants to join a channel of somebody else': 'möchte einem Kanal von jemand anderem beitreten',
  'wants to join a space of somebody else': 'möchte einem Space von jemand anderem beitreten',
  'It asks because the invitation is not from you; the people there will be able to write to it.':
    'Gefragt wird, weil die Einladung nicht von dir ist; die Leute dort werden ihm schreiben können.',
  '{slug} has used up the {limit} messages of one person that {name} answers in an hour.':
    '{slug} hat die {limit} Nachrichten einer Person aufgebraucht, die {name} in einer Stunde beantwortet.',
  'Other people have used up the {limit} messages of one person that {name} answers in an hour; this list does not name them.':
    'Andere Personen haben die {limit} Nachrichten einer Person aufgebraucht, die {name} in einer Stunde beantwortet; diese Liste nennt sie nicht.',
  'The question about {slug} could not be asked: {~reason}':
    'Die Frage zu {slug} ließ sich nicht stellen: {reason}',
  'Your answer about {slug} could not be recorded: {~reason}':
    'Deine Antwort zu {slug} ließ sich nicht festhalten: {reason}',
  'The person still waits. Kennel tries again by itself.':
    'Die Person wartet noch. Kennel versucht es von selbst wieder.',
  'It goes on by itself. "kennel contacts block {slug}" ends it; limits.sender_messages in daemon.yml is the limit.':
    'Es geht von selbst weiter. „kennel contacts block {slug}“ beendet es; die Grenze ist limits.sender_messages in daemon.yml.',
  'It goes on by itself. limits.sender_messages in daemon.yml is the limit.':
    'Es geht von selbst weiter. Die Grenze ist limits.sender_messages in daemon.yml.',
  'wants to answer {who}, who writes for the first time':
    'möchte {who} antworten; die Person schreibt zum ersten Mal',
  'It asks because you do not know this person yet. Allow accepts the person for all of your agents, deny blocks the person.':
    'Gefragt wird, weil du diese Person noch nicht kennst. Annehmen gilt für alle deine Agenten, Sperren auch.',
  'accept this person for all of your agents': 'diese Person für alle deine Agenten annehmen',
  'this computer': 'dieser Computer',
  'This {=state}. Nothing was changed.': 'Diese Frage {state}. Nichts wurde geändert.',
  'This {=state} ({where}). Nothing was changed.': 'Diese Frage {state} ({where}). Nichts wurde geändert.',
  'still waits': 'wartet noch',
  'was allowed already': 'wurde schon erlaubt',
  'was denied already': 'wurde schon abgelehnt',
  'has expired': 'ist abgelaufen',
  'was withdrawn': 'wurde zurückgezogen',
  'Nobody answered in time, so it was not done.':
    'Niemand hat rechtzeitig geantwortet, also geschah es nicht.',
  'The question was withdrawn: {~why}.': 'Die Frage wurde zurückgezogen: {why}.',
  'The operator denied it: {words}': 'Abgelehnt: {words}',
  'The operator denied it.': 'Abgelehnt.',
  'The turn was stopped before it was answered.': 'Die Runde wurde angehalten, bevor jemand antwortete.',
  'The audit log cannot be written, so nothing is done that it would not hold.':
    'Das Prüfprotokoll lässt sich nicht schreiben, also geschieht nichts, was darin fehlen würde.',
  'There is no receipt for this one.': 'Dafür gibt es keine Quittung.',
  '{name} was not allowed.': '{name} wurde nicht erlaubt.',
};

/** Money and tokens; numbers keep the host's format. */
export const spendingSentences: HostSentences = {
  'all agents': 'allen Agenten',
  '{amount} tokens': '{amount} Token',
  '1 token': '1 Token',
  'cannot go on: all agents together have used their budget of {~amount} for {=when}. Let them spend another {~more} {=again}?':
    'kann nicht weitermachen: Alle Agenten zusammen haben ihr Budget von {amount} für {when} verbraucht. Dürfen sie {again} noch einmal {more} ausgeben?',
  'has used its budget of {~amount} for {=when}. Let it spend another {~more} {=again}?':
    'hat das Budget von {amount} für {when} verbraucht. Darf er {again} noch einmal {more} ausgeben?',
  'It asks because nothing more is spent beyond a budget without you. The budget stays as it is.':
    'Gefragt wird, weil ohne dich nichts über ein Budget hinaus ausgegeben wird. Das Budget bleibt, wie es ist.',
  'another {~amount} {=when}': '{when} noch einmal {amount}',
  'Used: {=figures}\nIf you allow it: another {~amount} {=when}, once':
    'Verbraucht: {figures}\nWenn du es erlaubst: {when} einmal noch {amount}',
};
