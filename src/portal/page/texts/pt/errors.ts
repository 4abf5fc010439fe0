import type { Texts } from "../texts.ts";

export const errors: Texts["errors"] = {
  pageFault: "Algo deu errado nesta página. Recarregá-la pode ajudar.",
  unreachable: "Não é possível alcançar o servidor. Ele está ligado, e há conexão?",
  tooManyAttempts: (wait) => `Muitas tentativas. Aguarde ${wait} e tente de novo.`,
  minutes: (count) => `${count} minutos`,
  seconds: (count) => `${count} segundos`,
  rateLimited: "Consultas demais ao mesmo tempo. Aguarde um momento e tente de novo.",
  forbidden: "Você não tem permissão para fazer isto.",
  notFound: "Não existe, ou não é visível para você.",
  failed: "O servidor falhou. Tente de novo em um momento.",
  busy: "O servidor está ocupado. Nada foi salvo; tente de novo em um momento.",
  wrongSignIn: "E-mail ou senha incorretos.",
  noSuchPerson:
    "Ninguém pode entrar aqui com esse e-mail. Peça um convite ao titular da conta, e confirme o e-mail no serviço com que você entra.",
  signInUnfinished: "A entrada não foi concluída, ou demorou demais. Comece de novo.",
  providerUnavailable: "O serviço com que você entra não responde. Tente mais tarde, ou use a senha.",
  refused: "O servidor recusou.",
  fields: {
    name: "Escreva de 1 a 100 caracteres, sem caracteres de controle.",
    current_password: "Esta não é a sua senha.",
    new_password: "Escolha outra senha, de 8 a 200 caracteres.",
    scopes: "Escolha pelo menos um.",
    expires_at: "Escolha um dia no futuro.",
    per_second: "Escreva um número inteiro dentro do limite, ou nada.",
    per_day: "Escreva um número inteiro dentro do limite, ou nada.",
  },
};
