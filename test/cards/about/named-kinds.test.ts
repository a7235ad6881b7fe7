/** `/privacy` and `/forget-me` name each kind of data that is stored of a person. */
import { describe, expect, test } from 'vitest';
import { type Language, languages } from '../../../src/base/languages.ts';
import { forgetQuestion } from '../../../src/cards/about/forget-text.ts';
import { storedLines } from '../../../src/cards/about/stored-lines.ts';
import { createTranslators } from '../../../src/i18n/translator.ts';
import type { StoredData } from '../../../src/service/models/own-data.ts';
import { fullStoredData, noStoredData } from '../../support/stored-data.ts';

type Words = Record<keyof StoredData, string>;

/** Words for each kind in the question of `/forget-me`. A new kind does not compile without one. */
const en: Words = {
  link: 'your link to',
  proof: 'verification',
  corrections: 'administrators',
  watches: 'alerts',
  sent: 'messages I sent you',
  pauseNotice: 'alerts',
  timeZone: 'time zone',
  profileAsPicture: 'answers you with a picture',
  roles: 'role rules',
  figures: 'role rules',
  convoys: 'convoy drafts, sign-ups and attendance',
  boards: 'live boards and convoys that you created',
};
const de: Words = {
  link: 'deine Verknüpfung mit',
  proof: 'Bestätigung',
  corrections: 'Serververwaltung',
  watches: 'Alarme',
  sent: 'Nachrichten an dich',
  pauseNotice: 'Alarme',
  timeZone: 'Zeitzone',
  profileAsPicture: 'ein Bild bekommst',
  roles: 'Rollenregeln',
  figures: 'Rollenregeln',
  convoys: 'Konvoi-Entwürfe, Anmeldungen und Teilnahmen',
  boards: 'Live-Boards und Konvois',
};
const es: Words = {
  link: 'tu vínculo con',
  proof: 'verificación',
  corrections: 'administración',
  watches: 'avisos',
  sent: 'mensajes que te envié',
  pauseNotice: 'avisos',
  timeZone: 'zona horaria',
  profileAsPicture: 'como imagen',
  roles: 'reglas de roles',
  figures: 'reglas de roles',
  convoys: 'borradores de convoy, inscripciones y asistencias',
  boards: 'paneles en vivo y convoyes',
};
const fr: Words = {
  link: 'ton lien avec',
  proof: 'vérification',
  corrections: 'administrateurs',
  watches: 'alertes',
  sent: "messages que je t'ai envoyés",
  pauseNotice: 'alertes',
  timeZone: 'fuseau horaire',
  profileAsPicture: 'en image',
  roles: 'règles de rôles',
  figures: 'règles de rôles',
  convoys: 'brouillons de convoi, inscriptions et présences',
  boards: 'tableaux en direct et les convois',
};
const it: Words = {
  link: 'il tuo collegamento a',
  proof: 'verifica',
  corrections: 'amministratori',
  watches: 'avvisi',
  sent: 'messaggi che ti ho inviato',
  pauseNotice: 'avvisi',
  timeZone: 'fuso orario',
  profileAsPicture: 'come immagine',
  roles: 'regole dei ruoli',
  figures: 'regole dei ruoli',
  convoys: 'bozze di convoglio, iscrizioni e presenze',
  boards: 'bacheche live e nei convogli',
};
const nl: Words = {
  link: 'je koppeling aan',
  proof: 'verificatie',
  corrections: 'beheerders',
  watches: 'meldingen',
  sent: 'berichten die ik je stuurde',
  pauseNotice: 'meldingen',
  timeZone: 'tijdzone',
  profileAsPicture: 'een afbeelding',
  roles: 'rolregels',
  figures: 'rolregels',
  convoys: 'konvooiconcepten, aanmeldingen en deelnames',
  boards: 'liveborden en konvooien',
};
const pl: Words = {
  link: 'twoje połączenie z',
  proof: 'potwierdzenie',
  corrections: 'administratorów',
  watches: 'alerty',
  sent: 'wiadomościach do ciebie',
  pauseNotice: 'alerty',
  timeZone: 'strefę czasową',
  profileAsPicture: 'wybór obrazka',
  roles: 'reguł ról',
  figures: 'reguł ról',
  convoys: 'szkice konwojów, zapisy i udziały',
  boards: 'tablicach na żywo i konwojach',
};
const pt: Words = {
  link: 'seu vínculo com',
  proof: 'verificação',
  corrections: 'administração',
  watches: 'alertas',
  sent: 'mensagens que enviei',
  pauseNotice: 'alertas',
  timeZone: 'fuso horário',
  profileAsPicture: 'como imagem',
  roles: 'regras de cargos',
  figures: 'regras de cargos',
  convoys: 'rascunhos de comboio, inscrições e presenças',
  boards: 'painéis ao vivo e comboios',
};
const ru: Words = {
  link: 'твою привязку к',
  proof: 'подтверждением',
  corrections: 'администраторы',
  watches: 'оповещения',
  sent: 'сообщениях тебе',
  pauseNotice: 'оповещения',
  timeZone: 'часовой пояс',
  profileAsPicture: 'выбор картинки',
  roles: 'правил ролей',
  figures: 'правил ролей',
  convoys: 'черновики конвоев, записи и участие',
  boards: 'табло и конвоях',
};
const tr: Words = {
  link: 'bağlantın',
  proof: 'doğrulaman',
  corrections: 'yöneticilerin',
  watches: 'alarmların',
  sent: 'gönderdiğim mesajlardan',
  pauseNotice: 'alarmların',
  timeZone: 'saat dilimin',
  profileAsPicture: 'resim olup',
  roles: 'rol kuralları',
  figures: 'rol kuralları',
  convoys: 'konvoy taslakların, kayıtların ve katılımların',
  boards: 'canlı panolardaki ve konvoylardaki',
};

const words: Record<Language, Words> = {
  ...{ 'en-GB': en, 'en-US': en, 'es-ES': es, 'es-419': es, 'pt-BR': pt },
  ...{ de, fr, it, nl, pl, ru, tr },
};

const translatorFor = createTranslators();
const kinds = Object.keys(fullStoredData) as readonly (keyof StoredData)[];

describe.each(languages)('%s', (language) => {
  const t = translatorFor(language);

  test.each(kinds)('/forget-me says that it deletes: %s', (kind) => {
    const younger = { username: 'k3nny', kept: { why: 'young', until: 0 } } as const;
    for (const own of [null, younger]) expect(forgetQuestion(own, t)).toContain(words[language][kind]);
  });

  test.each(kinds)('/privacy has a line for what is stored: %s', (kind) => {
    const lines = storedLines({ ...noStoredData, [kind]: fullStoredData[kind] }, t);
    expect(lines[0]).toBe(t('privacy.heading'));
    expect(lines.join('\n')).not.toMatch(/[{}]|undefined/);
  });
});
