import type { Language } from "../both-sides/texts/texts.ts";
import { buttonBlock, composed, footOf, type Letter, paragraphBlocks } from "../mail/compose.ts";
import { shownName } from "../mail/free-text.ts";

const words: Readonly<Record<Language, TestWords>> = {
  en: {
    subject: (account) => `Test mail: ${account}`,
    arrived: "This is a test mail. Mails about alerts reach you at this address.",
    asked: (account) => `You asked for it in the portal of ${account}.`,
    open: "Open the notifications",
  },
  de: {
    subject: (account) => `Test-E-Mail: ${account}`,
    arrived: "Dies ist eine Test-E-Mail. E-Mails über Alarme erreichen Sie unter dieser Adresse.",
    asked: (account) => `Sie haben sie im Portal von ${account} angefordert.`,
    open: "Benachrichtigungen öffnen",
  },
  es: {
    subject: (account) => `Correo de prueba: ${account}`,
    arrived: "Este es un correo de prueba. Los correos sobre alertas llegan a esta dirección.",
    asked: (account) => `Se ha pedido en el portal de ${account}.`,
    open: "Abrir las notificaciones",
  },
  pt: {
    subject: (account) => `E-mail de teste: ${account}`,
    arrived: "Este é um e-mail de teste. Os e-mails sobre alertas chegam a este endereço.",
    asked: (account) => `Você o pediu no portal de ${account}.`,
    open: "Abrir as notificações",
  },
};

interface TestWords {
  readonly subject: (account: string) => string;
  readonly arrived: string;
  readonly asked: (account: string) => string;
  readonly open: string;
}

/** Says that mails arrive, and nothing else. */
export function testLetter(accountName: string, publicUrl: string, language: Language): Letter {
  const { subject, arrived, asked, open } = words[language];
  const account = shownName(accountName);
  const blocks = [...paragraphBlocks(arrived), buttonBlock([open, `${publicUrl}/portal/notifications`])];
  const title = subject(account);
  return composed({ subject: title, language, sender: account, title, blocks, foot: footOf(asked(account), []) });
}
