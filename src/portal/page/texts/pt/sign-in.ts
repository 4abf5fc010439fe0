import type { Texts } from "../texts.ts";

export const signIn: Texts["signIn"] = {
  title: "Entrar",
  welcome: "Seus veículos no mapa, suas chaves para os dados.",
  signedOut: "A sessão terminou. Entre de novo para continuar.",
  email: "E-mail",
  password: "Senha",
  signingIn: "Entrando…",
  help: "Sem conta, ou senha perdida? Fale com quem opera este serviço.",
  or: "ou",
  with: (name) => `Entrar com ${name}`,
  noAccount: "Este servidor ainda não tem conta",
  noAccountText:
    "Quem iniciou o servidor tem um link para criá-la. Ele foi mostrado no início, ou está no arquivo setup-link da pasta de dados. Abra esse link.",
};
