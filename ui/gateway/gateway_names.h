// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"
#include "ui/widgets/rows_model.h"

#include <QTableView>
#include <QTimer>

namespace sg::ui {

/// The names that applications can ask for, chains first. A click on "Copy", or Enter, Space or Ctrl C on a row, copies
/// its name.
class GatewayNames : public QTableView
{
    Q_OBJECT
public:
    GatewayNames(ThemeContext& context, QWidget* parent = nullptr);

    void setNames(const QStringList& names, const QStringList& chains);
    int nameCount() const { return static_cast<int>(names_.size()); }

Q_SIGNALS:
    void copied(const QString& name);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void copy(int row);
    void fill();

    RowsModel* rows_;
    QStringList names_, chains_;
    QString last_; ///< copied a moment ago
    QTimer forget_;
};

} // namespace sg::ui
