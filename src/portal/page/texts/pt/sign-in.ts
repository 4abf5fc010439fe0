import type { Texts } from "../texts.ts";

export const signIn: Texts["signIn"] = {
  title: "Entrar",
  welcome: "Seus veículos no mapa, suas chaves para os dados.",
  signedOut: "A sessão terminou. Entre de novo para continuar.",
  email: "E-mail",
  password: "Senha",
  signingIn: "Entrando…",
  or: "ou",
  with: (name) => `Entrar com ${name}`,
  noAccount: "Este servidor ainda não tem conta",
  noAccountText:
    "Quem iniciou o servidor tem um link para criá-la. Ele foi mostrado no início, ou está no arquivo setup-link da pasta de dados. Abra esse link.",
  forgot: "Esqueceu sua senha?",
  askOwner:
    "Esqueceu sua senha? O titular da conta pode enviar um link para você escolher outra. Titulares pedem a quem opera este serviço.",
  forgotTitle: "Uma nova senha",
  forgotWhat: "Enviamos por e-mail um link para escolhê-la.",
  sendLink: "Enviar um link",
  sending: "Enviando…",
  sent: "Se o endereço é de alguém daqui, um e-mail com o link está a caminho. Ele funciona uma única vez, por 24 horas.",
  back: "Voltar à entrada",
};
