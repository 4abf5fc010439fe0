import type { AdministrationTexts } from "../../administration-texts.ts";

export const links: AdministrationTexts["links"] = {
  title: "Seu link",
  invitation: "Boas-vindas",
  reset: "Escolher uma nova senha",
  invitedTo: (account) => `Você foi convidado para ${account}. Escolha uma senha e você já entra.`,
  resetOf: (account) => `É para o seu acesso a ${account}. Depois, as outras sessões são encerradas.`,
  for: "Para",
  password: "Nova senha",
  again: "Repetir a nova senha",
  length: "De 8 a 200 caracteres.",
  notTheSame: "As duas não são iguais.",
  use: "Salvar e entrar",
  using: "Salvando…",
  worksUntil: (time) => `O link funciona uma única vez, até ${time}.`,
  useless: "Este link não funciona",
  uselessWhy: "Ele já foi usado, expirou ou foi substituído por um mais novo.",
  uselessWhat: "Peça outro a quem o enviou. Se você tem uma senha, entre com ela.",
  signIn: "Ir para a entrada",
};
