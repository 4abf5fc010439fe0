import type { Texts } from "../texts.ts";

export const signIn: Texts["signIn"] = {
  title: "Entrar",
  welcome: "Seus veículos no mapa, suas chaves para os dados.",
  signedOut: "A sessão terminou. Entre de novo para continuar.",
  email: "E-mail",
  password: "Senha",
  signingIn: "Entrando…",
  help: "Sem conta, ou senha perdida? Fale com quem opera este serviço.",
};
